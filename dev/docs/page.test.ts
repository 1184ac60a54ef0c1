import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readStages } from '../../edge/jobs/rules/pipeline.ts'
import { encodedSize } from '../../shared/ffmpeg/filters.ts'
import { exampleBody } from '../../shared/operations/examples.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { EncodeMode, Operation } from '../../shared/planning/operation.ts'
import { readsOnlySize } from '../../shared/planning/pipeline.ts'
import { validateParams } from '../../shared/planning/validate.ts'
import { ROOT } from '../system/root.ts'
import { encodeModesOf } from './encoding.ts'
import { followingParams } from './following-params.ts'
import { addressOf, operationSection } from './operation-section.ts'
import { operationsPage } from './page.ts'

const byAddress = OPERATIONS.map((operation) => [`${operation.service}/${operation.key}`, operation] as const)
const page = operationsPage()

test('docs/operations.md matches the catalog; `npm run docs` writes it', () => {
  expect(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')).toBe(page)
})

test.each(byAddress)(
  '%s has a section with all of its parameters, linked from the contents',
  (address, operation) => {
    expect(page).toContain(`[${address}](#${address.replace('/', '')})`)
    const section = page.split(`\n### ${address}\n`)[1]?.split('\n### ')[0] ?? ''
    for (const key of Object.keys(operation.parameters.shape)) expect(section).toContain(`| \`${key}\` |`)
    for (const { label } of operation.presets) expect(section).toContain(label)
  },
)

test.each(byAddress)('the example of %s is accepted', (_, operation) => {
  const { params } = exampleBody(operation)
  const read = readStages(operation, params, OPERATIONS)
  expect(read).toHaveProperty('stages')
})

test.each(byAddress)('%s documents its positions in a pipeline', (_, operation) => {
  const may_follow = (params: Record<string, unknown>) => {
    const checked = validateParams(operation, params)
    return !('refused' in checked) && readsOnlySize(operation, checked.params)
  }
  const following = followingParams(operation)
  expect(following.filter((params) => !may_follow(params))).toEqual([])
  // Link operations cannot follow others, and some operations can follow others regardless of their params.
  const depends = operation.unneededFacts !== undefined && !operation.accepts.includes('link')
  expect(following.length > 0, addressOf(operation)).toBe(depends && !readsOnlySize(operation))
  for (const params of following)
    for (const key of Object.keys(params)) expect(pipelineOf(operation)).toContain(`\`${key}\``)
})

function pipelineOf(operation: Operation): string {
  return /^- Pipeline: .*$/m.exec(operationSection(operation))?.[0] ?? ''
}

test('documents the caps of encoded video', () => {
  const { width, height } = encodedSize({ width: 40_000, height: 40_000 })
  const strip = encodedSize({ width: 40_000, height: 400 })
  expect(page.replace(/\s+/g, ' ')).toContain(
    `at most ${Math.min(width, height)} pixels on its shorter side and ${strip.width} on its longer side`,
  )
})

test.each<[EncodeMode[], string[]]>([
  [['remux'], ['faststart', 'mute', 'strip_metadata', 'device_meta']],
  [['video_copy'], ['enhance_voice', 'add_audio']],
  [['encode'], ['compress', 'resize', 'social', 'fps', 'rotate', 'flip', 'speed', 'watermark']],
  [['encode'], ['blur_bg', 'circle', 'gif', 'auto_edit', 'link_captions']],
  [
    ['encode', 'remux'],
    ['trim', 'extract_audio', 'subtitles'],
  ],
  [['audio_copy', 'encode', 'remux', 'video_copy'], ['convert']],
])('%j are the encode modes of %j', (modes, keys) => {
  for (const [, operation] of byAddress.filter(
    ([, { service, key }]) => service === 'video' && keys.includes(key),
  ))
    expect(encodeModesOf(operation).sort(), operation.key).toEqual(modes)
})

test('documents only the price that is charged', () => {
  expect(page.replace(/\s+/g, ' ')).toContain(
    '2 credits for up to a minute, 1 more for each further started minute',
  )
  expect(page).not.toMatch(/Baseline|\| Credits \|/)
})
