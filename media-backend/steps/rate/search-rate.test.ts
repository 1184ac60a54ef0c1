import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { VIDEO_PAD } from '../../../shared/ffmpeg/graph.ts'
import { findOperation } from '../../../shared/operations/index.ts'
import type { Facts } from '../../../shared/planning/facts.ts'
import type { Operation } from '../../../shared/planning/operation.ts'
import { planPipeline, type Stage } from '../../../shared/planning/pipeline.ts'
import { sampleFacts, sampleProbe } from '../../../shared/planning/sample-facts.ts'
import { type FfmpegStep, type RateSearch, SOURCE, type Step } from '../../../shared/planning/steps.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import { FAST, makeClip } from '../../testing/clips.ts'
import { makeRun } from '../../testing/operate.ts'
import { runSteps } from '../index.ts'
import { findRate, searchRate } from './search-rate.ts'

const ENCODER = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '28', '-pix_fmt', 'yuv420p']

const SEARCH: RateSearch = {
  ...{ loss_max: 0.0075, lowest: 20, highest: 40, scale: { step: 0.5, growth: 0.16 } },
  ...{ probes_max: 2, frames: 10, decoded_frames: 10, encoder: ENCODER },
  inputs: [{ file: SOURCE, options: [] }],
  filter_graph: '[0:0]trim=end_frame=10,concat=n=1[samples]',
  compared: { width: 80, height: 60 },
}

const STEP = {
  kind: 'ffmpeg' as const,
  inputs: [{ file: SOURCE, options: [] }],
  filter_graph: null,
  output: { file: 'result.mp4', options: [...ENCODER, '-map', '0:v'] },
  output_duration_seconds: 0.4,
}

const LOGO = 'logo'

/** Options for the pixels of one frame. */
const FIRST = ['-frames:v', '1', '-pix_fmt', 'rgb24']

const clip = (filters: string) =>
  makeClip('rates.mp4', [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=320x240:rate=25:duration=0.4${filters}`,
    ...FAST,
  ])

async function search(content: Buffer, changed: Partial<RateSearch> = {}) {
  const run = await makeRun()
  await writeFile(fileIn(run.folder, SOURCE), content)
  const shares: number[] = []
  const rate_search = { ...SEARCH, ...changed }
  const { output } = await searchRate({ ...STEP, rate_search }, run, (share) => shares.push(share))
  return { rate: Number(output.options[output.options.indexOf('-crf') + 1]), shares }
}

test('a video with noise gets a lower rate factor than a drawing of the same size', async () => {
  const [drawing, noise] = [await clip(''), await clip(',noise=alls=60:allf=t:all_seed=1')]
  const [one, other] = [await search(drawing), await search(noise)]
  expect(other.rate).toBeLessThan(one.rate)
  expect(one.shares).toEqual([...one.shares].sort((before, after) => before - after))
})

test('samples that cannot be read keep the rate factor of the step', async () => {
  expect((await search(Buffer.from('not a video'))).rate).toBe(28)
})

test('samples without detail keep the rate factor of the step', async () => {
  expect((await search(await clip(',drawbox=t=fill:color=gray'))).rate).toBe(28)
})

test('a canceled search ends', async () => {
  const run = await makeRun()
  await writeFile(fileIn(run.folder, SOURCE), await clip(''))
  const signal = AbortSignal.abort(new Error('canceled'))
  const step: FfmpegStep = { ...STEP, rate_search: SEARCH }
  await expect(runSteps([step], { ...run, signal }, () => {})).rejects.toThrow('canceled')
})

test('the search is part of the progress of its step', async () => {
  const run = await makeRun()
  await writeFile(fileIn(run.folder, SOURCE), await clip(''))
  const percents: number[] = []
  const step: FfmpegStep = { ...STEP, rate_search: SEARCH }
  await runSteps([step], run, (percent) => percents.push(percent))
  expect(percents.filter((percent) => percent > 0 && percent <= 12).length).toBeGreaterThan(0)
  expect(percents).toEqual([...percents].sort((before, after) => before - after))
  expect(percents.at(-1)).toBe(100)
})

function stageOf([key, params]: readonly [string, Record<string, unknown>]): Stage {
  const operation = findOperation('video', key) as Operation
  return { operation, params: operation.parameters.parse(params) }
}

/** Returns the pixels of the frames that a graph draws. */
async function drawFrames(
  inputs: FfmpegStep['inputs'],
  graph: string,
  pad: string,
  { folder }: Run,
  options: readonly string[],
): Promise<Buffer> {
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    [
      ...['-v', 'error', ...inputs.flatMap(({ file, options }) => [...options, '-i', file])],
      ...[
        '-filter_complex',
        graph,
        '-map',
        pad,
        '-fps_mode',
        'passthrough',
        ...options,
        '-f',
        'rawvideo',
        '-',
      ],
    ],
    { cwd: folder, encoding: 'buffer' },
  )
  return stdout
}

/** Plans a pipeline, and returns the step that encodes and those before it. */
function planStages(
  stages: readonly (readonly [string, Record<string, unknown>])[],
  facts: Partial<Facts>,
): { prepare: Step[]; step: FfmpegStep & { rate_search: RateSearch } } {
  const plan = planPipeline(stages.map(stageOf) as [Stage, ...Stage[]], sampleFacts(facts))
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const [step, ...before] = plan.steps.toReversed()
  if (step?.kind !== 'ffmpeg' || step.rate_search === undefined) throw new Error('expected a search')
  return { prepare: before.toReversed(), step: { ...step, rate_search: step.rate_search } }
}

test.each([
  [15, 30, true],
  // All samples would be decoded from the only keyframe.
  [25, 30, false],
])(
  'samples come from the kept part (%d s, for %d s) if decoding starts soon before it: %j',
  async (start, duration, is_soon) => {
    const run = await makeRun()
    // The gray level of a frame rises with its time, and only the first frame is a keyframe.
    const levels = "color=black:size=32x32:rate=10:duration=60,geq=lum='16+3*T':cb=128:cr=128"
    const gray = await makeClip('levels.mp4', ['-f', 'lavfi', '-i', levels, ...FAST, '-qp', '4', '-g', '999'])
    await writeFile(fileIn(run.folder, SOURCE), gray)
    // The planned frames are larger, because small ones are not searched.
    const probe = sampleProbe({ duration_seconds: 60, audio: [] }, { frames_per_second: 10 })
    const stages = [
      ['trim', { start, duration }],
      ['resize', { width: 640 }],
    ] as const
    const { step } = planStages(stages, { probe })
    const { inputs, filter_graph, frames } = step.rate_search
    const size = ['-s', '2x2', '-pix_fmt', 'yuv420p']
    const drawn = await drawFrames(inputs, filter_graph, '[samples]', run, size)
    const frame_bytes = 6
    expect(drawn).toHaveLength(is_soon ? frames * frame_bytes : 0)
    // Without samples, the encode keeps its rate factor.
    if (!is_soon) expect(await findRate(step.rate_search, run, () => {})).toBeNull()
    for (let at = 0; at < drawn.length; at += frame_bytes) {
      expect(drawn[at]).toBeGreaterThanOrEqual(16 + 3 * start - 1)
      expect(drawn[at]).toBeLessThanOrEqual(16 + 3 * (start + duration) + 1)
    }
  },
)

test('a search draws what its operations draw', async () => {
  const run = await makeRun()
  await writeFile(fileIn(run.folder, SOURCE), await clip(''))
  const logo = sharp({ create: { width: 40, height: 20, channels: 4, background: '#ff0000' } })
  await logo.png().toFile(fileIn(run.folder, LOGO))
  const facts = {
    probe: sampleProbe({ duration_seconds: 600, audio: [] }, { width: 320, height: 240 }),
    assets: { '0-logo_url': { file: LOGO, width: 40, height: 20, duration_seconds: 0 } },
  }
  const stages = [
    ['watermark', { logo_url: 'https://example.com/logo.png', tiled: true }],
    ['subtitles', { subtitles_text: '00:00:00,000 --> 00:00:02,000\nHello' }],
    ['rotate', { mode: '90cw' }],
  ] as const
  const { step, prepare } = planStages(stages, facts)
  await runSteps(prepare, run, () => {})
  // The clip is much shorter than the plan assumes, so all samples are from its start.
  const fromStart = step.rate_search.inputs.map((input) =>
    input.file === SOURCE ? { ...input, options: [] } : input,
  )
  const sample = await drawFrames(fromStart, step.rate_search.filter_graph, '[samples]', run, FIRST)
  const whole = await drawFrames(step.inputs, `${step.filter_graph}`, VIDEO_PAD, run, FIRST)
  expect(sample).toHaveLength(240 * 320 * 3)
  expect(sample.equals(whole)).toBe(true)
})
