import { expect, test } from 'vitest'
import type { Plan } from '../operation.ts'
import { sampleProbe } from '../sample-facts.ts'
import { planEmbed } from '../speech/embed.ts'
import { containerOptions, pictureTag } from './containers.ts'
import { trim } from './trim.ts'

test('HEVC has its own name in the files that Apple plays', () => {
  expect(pictureTag('hevc', 'mp4')).toEqual(['-tag:v', 'hvc1'])
  expect(pictureTag('hevc', 'mov')).toEqual(['-tag:v', 'hvc1'])
  expect(pictureTag('hevc', 'mkv')).toEqual([])
  expect(pictureTag('h264', 'mp4')).toEqual([])
})

test('also where the picture is only copied beside something else', () => {
  const probe = sampleProbe({}, { codec: 'hevc' })
  const cut = trim.plan({
    params: trim.parameters.parse({ start: 2, precise: false }),
    facts: { probe },
  }) as Plan
  const titled = planEmbed(probe, [], 'en')
  for (const plan of [cut, titled]) {
    const step = plan.steps.at(-1)
    expect(step?.kind === 'ffmpeg' && step.output.options.join(' ')).toContain('-tag:v hvc1')
  }
})

test('files that are played while they load have their index first', () => {
  for (const file of ['a.mp4', 'a.mov', 'a.m4a']) expect(containerOptions(file)).toContain('+faststart')
  expect(containerOptions('a.m4a')).not.toContain('-write_tmcd')
  expect(containerOptions('a.mp3')).toEqual([])
})
