import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { chooseKeptCuts } from '../../shared/ffmpeg/cuts/kept-cuts.ts'
import { planSmartCuts } from '../../shared/ffmpeg/cuts/plan-smart-cut.ts'
import { auto_edit } from '../../shared/operations/video/auto_edit.ts'
import type { TimeRange } from '../../shared/planning/facts.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import { cutSpeech } from '../../shared/speech/cuts.ts'
import { probeVideo } from '../probe/probe.ts'
import { measureVideoPackets } from '../probe/timing/video-packets.ts'
import { fileIn } from '../runtime/folder.ts'
import { runPlan } from '../steps/plan.ts'
import { makeClip } from '../testing/clips.ts'
import { frameLevels, inspect, makeRun } from '../testing/operate.ts'

/**
 * Frame N is a flat gray of brightness 16 + 2N, at 12 frames per second. Its pixels are a hundred times wider than high:
 * the video is displayed so large that copies are worth their checks, but it is quick to decode.
 */
const GRAY = "color=c=black:s=320x160:r=12,trim=end_frame=110,geq=lum='16+2*N':cb=128:cr=128,setsar=100"
const TONE = ['-f', 'lavfi', '-i', 'sine=duration=9.16', '-c:a', 'aac']
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '8', '-x264-params']
const GROUPS = 'keyint=12:min-keyint=1:scenecut=0:b-adapt=0:bframes=3'

/** Three sentences. The second one is too short to copy. */
const SPOKEN = [
  { text: 'one', start: 0.3, end: 3.4 },
  { text: 'two', start: 4.4, end: 4.9 },
  { text: 'three', start: 5.8, end: 8.9 },
]
const SILENCES = [
  { start: 3.4, end: 4.4 },
  { start: 4.9, end: 5.8 },
]
const PARAMS = auto_edit.parameters.parse({ max_pause: 0.5, keep_pause: 0.2 })

async function editTalk(
  content: Buffer,
): Promise<{ path: string; source: string; plan: Plan; keep: TimeRange[] }> {
  const run = await makeRun()
  const source = fileIn(run.folder, SOURCE)
  await writeFile(source, content)
  const probe = await probeVideo(source, run)
  const transcript = { language: 'en', words: SPOKEN }
  const video_packets = await measureVideoPackets(probe, run)
  const facts = { probe, transcript, silences: SILENCES, video_packets: null }
  const edit = auto_edit.edit?.({ params: PARAMS, facts })
  const full = auto_edit.plan({ params: PARAMS, facts })
  if (edit === undefined || !('tracks' in edit) || 'refused' in full || video_packets === null)
    throw new Error('the talk cannot be edited')
  const { duration_seconds, video } = probe
  const { frames_per_second } = video
  const options = { ...PARAMS, language: 'en' }
  const { keep } = cutSpeech(SPOKEN, SILENCES, { duration_seconds, frames_per_second }, options)
  const cuts = chooseKeptCuts(probe, keep, video_packets)
  if (cuts === null) throw new Error('too little can be copied')
  // The clip is so short that the operation would encode all of it.
  const { plan } = await runPlan(planSmartCuts(probe, cuts, edit, full), run, () => {})
  return { path: fileIn(run.folder, plan.outputs[0].file), source, plan, keep }
}

const EXTENDED = { tags: ['extended'] }

describe.each([
  ['H.264 with B-frames', [...X264, GROUPS], {}],
  ['H.264 with open groups', [...X264, `${GROUPS}:open-gop=1:b-pyramid=normal`], EXTENDED],
  [
    'HEVC',
    [
      ...['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '8', '-tag:v', 'hvc1', '-x265-params'],
      `log-level=error:${GROUPS}:open-gop=1`,
    ],
    EXTENDED,
  ],
] as const)('pauses in %s', (_, coding, options) => {
  test('are removed without encoding most frames', options, async () => {
    const clip = await makeClip('joined.mp4', ['-f', 'lavfi', '-i', GRAY, ...TONE, ...coding])
    const { path, plan, keep } = await editTalk(clip)
    expect(keep).toHaveLength(3)
    expect(plan.body?.copied_seconds).toBeGreaterThan(4)
    const frames = await frameLevels(path)
    const expected = keep.flatMap(({ start, end }) => {
      const [first, last] = [Math.round(start * 12), Math.min(110, Math.round(end * 12))]
      return Array.from({ length: last - first }, (_, at) => first + at)
    })
    expect(frames.map(({ level }) => Math.round((level - 16) / 2))).toEqual(expected)
    for (const [at, { seconds }] of frames.entries()) expect(seconds).toBeCloseTo(at / 12, 2)
    const { streams } = await inspect(path)
    for (const { duration } of streams)
      expect(Math.abs(Number(duration) - expected.length / 12)).toBeLessThan(0.05)
  })
})

test('a variable frame rate keeps its times where pauses are removed', EXTENDED, async () => {
  const uneven = [`${GRAY},select='mod(n,7)'`, '-fps_mode', 'vfr', ...X264, `${GROUPS}:bframes=1`]
  const times = ['-enc_time_base', '1:90000', '-video_track_timescale', '90000']
  const clip = await makeClip('joined-uneven.mp4', [
    '-f',
    'lavfi',
    '-i',
    uneven[0] ?? '',
    ...TONE,
    ...uneven.slice(1),
    ...times,
  ])
  const { path, source, plan, keep } = await editTalk(clip)
  expect(plan.body?.copied_seconds).toBeGreaterThan(3)
  const whole = await frameLevels(source)
  let removed = 0
  let position = 0
  const expected = keep.flatMap(({ start, end }) => {
    removed += start - position
    position = end
    const first = whole.findLast(({ seconds }) => seconds <= start + 0.001)?.seconds ?? 0
    return whole
      .filter(({ seconds }) => seconds >= first && seconds < end - 0.001)
      .map(({ seconds, level }) => ({ seconds: Math.max(start, seconds) - removed, level }))
  })
  const frames = await frameLevels(path)
  expect(frames).toHaveLength(expected.length)
  for (const [at, { seconds, level }] of frames.entries()) {
    expect(seconds).toBeCloseTo(expected[at]?.seconds ?? 0, 2)
    expect(level).toBeCloseTo(expected[at]?.level ?? 0, 0)
  }
})
