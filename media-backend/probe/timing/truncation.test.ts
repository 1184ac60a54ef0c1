import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Run } from '../../runtime/run.ts'
import { box, replaceBoxes } from '../../testing/boxes.ts'
import { makeClip } from '../../testing/clips.ts'
import { isTruncated } from './truncation.ts'

async function checkTruncation(content: Buffer): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-truncated-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'source')
  await writeFile(path, content)
  return isTruncated(path, content.length, { folder, signal: new AbortController().signal } as Run)
}

const AUDIO_INPUT = ['-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', 'libmp3lame']
const CLIPS = {
  'an MP4': () => makeClip('whole.mp4', AUDIO_INPUT),
  'a QuickTime file with its index first': () =>
    makeClip('whole.mov', [...AUDIO_INPUT, '-movflags', '+faststart']),
  'a Matroska file': () => makeClip('whole.mkv', AUDIO_INPUT),
  'a Flash file': () => makeClip('whole.flv', AUDIO_INPUT),
  'a fragmented MP4': () => makeClip('parts.mp4', [...AUDIO_INPUT, '-movflags', 'frag_keyframe+empty_moov']),
  'a Matroska stream, which declares no size': () =>
    makeClip('live.mkv', [...AUDIO_INPUT, '-f', 'matroska', '-live', '1']),
} as const

test.each(Object.entries(CLIPS))('%s is complete', async (_, make) => {
  const whole = await make()
  expect(await checkTruncation(whole)).toBe(false)
})

test.each(Object.entries(CLIPS).filter(([name]) => name !== 'a Flash file'))(
  '%s with trailing bytes is complete',
  async (_, make) => {
    const whole = await make()
    expect(await checkTruncation(Buffer.concat([whole, Buffer.from('a trailing note')]))).toBe(false)
    expect(await checkTruncation(Buffer.concat([whole, Buffer.alloc(40)]))).toBe(false)
  },
)

test.each([
  ['an MP4', true],
  ['a QuickTime file with its index first', true],
  ['a Matroska file', true],
  ['a Flash file', true],
  ['a Matroska stream, which declares no size', false],
] as const)('%s that ends early is truncated: %s', async (name, expected) => {
  const whole = await CLIPS[name]()
  expect(await checkTruncation(whole.subarray(0, Math.floor(whole.length * 0.6)))).toBe(expected)
})

test('an MP4 whose index points beyond its end is truncated', async () => {
  const whole = await CLIPS['an MP4']()
  const halve = (body: Buffer) => box('mdat', body.subarray(0, body.length / 2))
  expect(await checkTruncation(replaceBoxes(whole, 'mdat', halve))).toBe(true)
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a few bytes', Buffer.from('ftyp')],
  ['endless boxes', Buffer.from('0000000866747970'.repeat(40), 'hex')],
  ['a box of impossible size', Buffer.from('00000001667479700000ffffffffffff', 'hex')],
  ['only a Matroska header', Buffer.from('1a45dfa3', 'hex')],
  ['a segment of invalid size', Buffer.from('1a45dfa38018538067ff', 'hex')],
])('%s is not truncated', async (_, content) => {
  expect(await checkTruncation(content)).toBe(false)
})
