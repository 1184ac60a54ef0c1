import { RATE_TARGETS } from '../../shared/ffmpeg/rate/targets.ts'
import type { ComparedVideo } from './compare-video.ts'
import { geometricMean, mean } from './means.ts'

/** An operation on all videos of a folder. */
export interface ComparedOperation {
  title: string
  videos: readonly ComparedVideo[]
}

/** Heading of the part of docs/quality.md about operations that leave the quality open. */
export const OPERATIONS_HEADING = '## Other operations'

const TARGETS = [
  ['H.264', 'veryfast', RATE_TARGETS.default],
  ['`trim`', 'fast', RATE_TARGETS.trim],
  ['`circle`', 'fast', RATE_TARGETS.circle],
  ['H.265', 'fast', RATE_TARGETS.hevc],
  ['VP9', 'cpu-used 4', RATE_TARGETS.vp9],
] as const

/** Settings of x265 and VP9. */
const TRIED = [
  ['x265', 'psy-rd 0.4, aq-strength 0.6, rdoq-level 2, psy-rdoq 0', '4', '0.89', '1.15', 'no'],
  ['x265', 'likewise, without SAO', '4', '0.83', '1.08', 'yes'],
  ['VP9', 'cpu-used 2', '1', '0.94', '1.50', 'no'],
  ['VP9', 'aq-mode 1', '1', '0.99', '1.06', 'no'],
  ['VP9', 'one column of tiles', '1', '1.00', '1.05', 'no'],
] as const

/** Settings of VP9 that were not used: bytes at equal VMAF, and CPU time. */
const TRIED_VP9 = [
  ['frame-parallel 0', '0.99', '1.02'],
  ['cpu-used 3', '0.99', '1.12'],
  ['two passes, frame-parallel 0', '0.95', '1.34'],
  ['likewise, cpu-used 5', '0.97', '1.32'],
  ['likewise, cpu-used 5, auto-alt-ref 6', '0.90', '1.35'],
  ['likewise, cpu-used 5, auto-alt-ref 6, enable-tpl 0', '0.90', '1.25'],
  ['likewise, auto-alt-ref 6, enable-tpl 0', '0.89', '1.28'],
] as const

/** Writes the part of docs/quality.md about operations that leave the quality open. */
export function writeOperationPart(corpus: string, operations: readonly ComparedOperation[]): string {
  return `${OPERATIONS_HEADING}

Operations that have no parameter for the quality of their video search like \`compress\`, for as little loss as its level
light or less. They draw on the samples what they draw on the video, and take them from the parts that cuts keep. Videos that
are too short to search use the lowest rate factor. All use the settings of \`similarVideo\`. Of these, the optimization of
coefficients (trellis) saves the most with the preset veryfast: 12% of the bytes at equal VMAF, for 4% more time.

| encode | preset | rate factors | accepted loss |
| ------ | ------ | ------------ | ------------- |
${TARGETS.map(targetRow).join('\n')}

The comparison is with the former settings: the defaults of the preset and a fixed rate factor (H.264: 20, \`trim\`: 18,
\`circle\`: 23, H.265: 23, VP9: 31). Operations that choose other frames are compared with a lossless result. The clips are
${corpus}.

| operation | clip | CRF | bytes | VMAF, fixed | VMAF, searched | low, fixed | low, searched | SSIM, fixed | SSIM, searched | search time | CPU time |
| --------- | ---- | --- | ----- | ----------- | -------------- | ---------- | ------------- | ----------- | -------------- | ----------- | -------- |
${operations.flatMap(({ title, videos }) => videos.map((video) => videoRow(title, video))).join('\n')}

Means of each operation, for the bytes as a geometric mean:

| operation | clips | CRF | bytes | VMAF, fixed | VMAF, searched | low, fixed | low, searched | SSIM, fixed | SSIM, searched | search time | CPU time |
| --------- | ----- | --- | ----- | ----------- | -------------- | ---------- | ------------- | ----------- | -------------- | ----------- | -------- |
${operations.map(({ title, videos }) => meanRow(title, videos)).join('\n')}
${meanRow(
  'all',
  operations.flatMap(({ videos }) => videos),
)}

The times are CPU time, relative to the encode with the fixed rate factor. CPU time includes the search. Most of the clips
lose the accepted amount of VP9 at its former rate factor already, so the search keeps that. The low VMAF falls most for road,
by up to 1.8 points, at the lowest rate factor.

### Settings that were tried

Not used with x264, on eight clips of five seconds, at equal VMAF and relative to these settings: subpixel refinement of
level 4 takes 0.98 of the bytes and 1.27 times as long, the preset faster 0.98 and 1.34, and adaptive B-frames 1.01 and 1.40.

With x265 and VP9, on clips of five seconds, at the VMAF of the former settings and relative to them:

| encoder | setting | clips | bytes | CPU time | used |
| ------- | ------- | ----- | ----- | -------- | ---- |
${TRIED.map(row).join('\n')}

At the same VMAF, x265 with the preset fast then needs 0.97 of the bytes of x264 with the preset veryfast on these clips:
from 0.75 for film-animation to 1.20 for marathon.

With VP9 on film-animation, marathon and plaza (five seconds each), at equal VMAF and relative to the settings that are used:

| setting | bytes | CPU time |
| ------- | ----- | -------- |
${TRIED_VP9.map(row).join('\n')}

With one pass, libvpx 1.12 codes no alternate reference frames, and \`auto-alt-ref\` 6 gives the same bytes as without it. Two
passes save by such frames, most for film-animation and least for marathon. They are not used because of their time, which
includes both passes: the first one alone takes 0.14 to 0.20.

Keyframes up to 256 frames apart instead of 128, with frame-parallel 0, take 0.96 of the bytes at equal VMAF (0.89 to 1.10),
0.95 at equal VMAF NEG (0.88 to 1.06) and 0.99 at equal PSNR-HVS (0.90 to 1.17) in the same time, on the first 256 frames of
film-street, hallway, plaza, road and talking-head. They are not used, because plaza needs more bytes at equal PSNR-HVS, and
road at equal VMAF.
`
}

function targetRow([title, preset, { lowest, highest, loss_max }]: (typeof TARGETS)[number]): string {
  return row([title, preset, `${lowest} to ${highest}`, String(loss_max)])
}

function videoRow(title: string, video: ComparedVideo): string {
  const { name, fixed, searched } = video
  return row([title, name, String(searched.rate), ...figures(fixed, searched), ...times(video)])
}

function meanRow(title: string, videos: readonly ComparedVideo[]): string {
  const bytes = geometricMean(videos.map(({ fixed, searched }) => searched.bytes / fixed.bytes))
  const means = (['vmaf_mean', 'vmaf_low', 'similarity_mean'] as const).flatMap((key) =>
    (['fixed', 'searched'] as const).map((side) => {
      const value = mean(videos.map((video) => video[side][key] ?? 0))
      return value.toFixed(key === 'similarity_mean' ? 4 : 1)
    }),
  )
  const [searches, totals] = [0, 1].map((at) => mean(videos.map((video) => Number(times(video)[at]))))
  return row([
    title,
    String(videos.length),
    mean(videos.map(({ searched }) => searched.rate)).toFixed(1),
    bytes.toFixed(2),
    ...means,
    ...[searches, totals].map((time = 0) => time.toFixed(2)),
  ])
}

function figures(fixed: ComparedVideo['fixed'], searched: ComparedVideo['searched']): string[] {
  const both = (key: 'vmaf_mean' | 'vmaf_low' | 'similarity_mean', digits: number) =>
    [fixed, searched].map((side) => (side[key] ?? 0).toFixed(digits))
  return [
    (searched.bytes / fixed.bytes).toFixed(2),
    ...both('vmaf_mean', 1),
    ...both('vmaf_low', 1),
    ...both('similarity_mean', 4),
  ]
}

/** Returns the time of the search, and that of the search and the encode. */
function times({ fixed, searched, search_cpu_seconds }: ComparedVideo): string[] {
  const search = search_cpu_seconds / fixed.cpu_seconds
  return [search, search + searched.cpu_seconds / fixed.cpu_seconds].map((time) => time.toFixed(2))
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
