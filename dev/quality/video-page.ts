import { type ComparedVideo, type EncodedVideo, FIXED, type Level } from './compare-video.ts'
import { bytesAtVmaf } from './equal-bytes.ts'
import { geometricMean, mean } from './means.ts'
import { plotVideos } from './plot-videos.ts'

interface Results {
  /** Where the videos are from. */
  corpus: string
  levels: Readonly<Record<Level, readonly ComparedVideo[]>>
}

type Measure = keyof Omit<EncodedVideo, 'rate' | 'bytes' | 'cpu_seconds'>

/** Heading of the part of docs/quality.md that videos fill. */
export const VIDEOS_HEADING = '## Videos'

/** Settings of x264, with bytes at equal VMAF, bytes at an equal low VMAF, and CPU time. */
const TRIED = [
  ['defaults of x264', '1.13', '1.14', '1.01'],
  ['aq-strength 0.4', '0.96', '0.97', '1.00'],
  ['aq-strength 0.3', '0.94', '0.95', '1.00'],
  ['aq-mode 2, strength 0.8', '1.03', '1.03', '1.00'],
  ['aq-mode 3', '1.02', '1.03', '0.99'],
  ['three B-frames', '1.01', '1.01', '0.99'],
  ['b-adapt 2, three B-frames', '0.99', '1.00', '1.11'],
  ['qcomp 0.5', '0.99', '1.00', '0.96'],
  ['qcomp 0.7', '1.01', '1.01', '1.00'],
  ['psy-rd 0.2 (less detail of colors)', '0.98', '0.99', '0.98'],
  ['psy-rd 0.8', '1.02', '1.02', '1.04'],
  ['trellis 2', '1.00', '1.01', '1.06'],
  ['trellis 0', '1.11', '1.12', '1.02'],
  ['deblock -1:-1', '1.00', '1.00', '1.01'],
  ['deblock 1:1', '1.01', '1.01', '1.00'],
  ['subme 8 (with aq-strength 0.4, relative to it)', '0.99', '0.99', '1.07'],
  ['rc-lookahead 60 (likewise)', '1.00', '1.00', '1.06'],
  ['pbratio 1.15 (likewise)', '1.00', '1.00', '1.03'],
  ['direct auto (likewise)', '1.00', '0.98', '1.04'],
  ['eight B-frames (likewise)', '1.00', '0.99', '1.02'],
] as const

/**
 * Settings of x264 relative to those that are used: bytes at equal VMAF, at an equal low VMAF, and at equal PSNR-HVS, SSIM
 * and PSNR; CPU time. Chroma has the same offset as with psy-rd 0.4.
 */
const TRIED_DETAIL = [
  ['psy-rd 0', '1.00', '1.01', '0.99', '0.98', '0.98', '1.00'],
  ['matrices', '0.99', '1.00', '0.99', '1.00', '1.01', '1.01'],
  ['matrices of JVT', '1.01', '1.02', '1.01', '1.04', '1.09', '1.03'],
  ['matrices, psy-rd 0', '0.99', '1.01', '0.98', '0.98', '0.99', '0.97'],
  ['matrices, psy-rd 0.2 (ten clips)', '0.99', '0.99', '0.98', '0.99', '1.00', '1.01'],
  ['matrices, psy-rd 0.2, deblock -1:-1', '0.99', '1.00', '0.98', '0.98', '1.00', '0.97'],
] as const

/** Writes the part of docs/quality.md about videos, and its plot. */
export function writeVideoPart({ corpus, levels }: Results): { page: string; plot: string } {
  const names = Object.keys(FIXED) as Level[]
  const page = `${VIDEOS_HEADING}

Without \`crf\`, \`compress\` searches for the rate factor (CRF) of each video. It encodes short samples and compares a fifth
of their frames with the source, at a quarter of their size. The loss of detail is the gradient magnitude similarity
deviation (GMSD) of luminance: at a fixed rate factor, SSIM hardly shows which clip looks worse, while this measure
follows VMAF. The level sets the accepted loss: about a fifth of the clips lost as much before. The rate factor rises
by up to 8, never falls, and stays as it is if the encode takes only a few seconds. Where frames repeat, as in recordings
of screens, an encode takes less time, and so does its search, and keyframes are up to 20 seconds apart. Independently of the
search, x264 spends fewer bits on texture that is not in the source and on flat areas (\`similarVideo\` in
shared/ffmpeg/compressed-video.ts), which takes no more time. With these settings, a rate factor that is higher by 1 gives
the quality that the fixed one gave, so the levels start there.

The comparison is with what each level was before: a fixed rate factor (${names.map((level) => `${level} ${FIXED[level]}`).join(', ')}) and the defaults of x264.
VMAF (model v0.6.1, every sixth frame) judges independently, because the search does not use it. SSIM is that of
luminance, of all frames. 5% of the frames are below a low value. A result larger than the input counts as the copy that
replaces it, as still-life with the fixed rate factor. The clips are ${corpus}.

| level | clips | bytes, geometric mean | bytes at equal VMAF | bytes, range | VMAF, fixed | VMAF, searched | low VMAF, fixed | low VMAF, searched | SSIM, fixed | SSIM, searched | search time, mean | search time, maximum | larger than the input |
| ----- | ----- | --------------------- | ------------------- | ------------ | ----------- | -------------- | --------------- | ------------------ | ----------- | -------------- | ----------------- | -------------------- | --------------------- |
${names.map((level) => levelRow(level, levels)).join('\n')}

Light and strong are measured on every second clip, and bytes at equal VMAF are interpolated between the levels of these.
Bytes at equal VMAF are more than the bytes of the levels, because the search lowers the VMAF of clips that lose little detail (hallway,
plaza, road, still-life) and keeps that of the others. ${withoutCopies(levels.medium)}
The search time is CPU time, relative to the encode with the fixed rate factor. VMAF, low VMAF and SSIM are the mean of all clips,
with the worst clip in parentheses.

### Clips at the level medium

| clip | CRF | bytes | of input | VMAF, fixed | VMAF, searched | low, fixed | low, searched | SSIM, fixed | SSIM, searched | low, fixed | low, searched | search time |
| ---- | --- | ----- | -------- | ----------- | -------------- | ---------- | ------------- | ----------- | -------------- | ---------- | ------------- | ----------- |
${levels.medium.map(videoRow).join('\n')}

![Bytes and VMAF of each clip, with the fixed rate factor and with the search](images/quality-videos.svg)

### Settings of x264 that were tried

Bytes at equal VMAF and CPU time, relative to the former settings (the preset medium with five B-frames, psy-rd 0.4 and
aq-strength 0.6), as geometric means of ten of the clips, five seconds each. "Low" compares at an equal VMAF of the worst 5%
of the frames. Of these, aq-strength 0.4 is used. At equal PSNR-HVS, which models the contrast that people see, it takes
0.996 of the bytes (low: 0.975), and the banding index CAMBI is the same; lower strengths save bytes by VMAF only. Subpixel
refinement and adaptive B-frames cost more time than they save bytes.

| setting | bytes | low | CPU time |
| ------- | ----- | --- | -------- |
${TRIED.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

Quantization matrices that rise from 14 for the lowest frequency to 22 for the highest, and less of what keeps texture
(psy-rd, with the same offset of chroma), save 1 to 2% by most measures. They are not used: the saving is small, and PSNR
does not confirm it. The bytes are those at equal values of each measure, relative to the settings that are used, on six of
the clips, five seconds each.

| setting | VMAF | low VMAF | PSNR-HVS | SSIM | PSNR | CPU time |
| ------- | ---- | -------- | -------- | ---- | ---- | -------- |
${TRIED_DETAIL.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

### Other measures of the loss that were tried

The samples could also follow VMAF by visual information fidelity (VIF), the share of edges that are lost, the squared
error, GMSD at an eighth of the size, and motion. On five seconds of each clip at four rate factors, leaving out each clip
in turn, GMSD alone predicts VMAF with an error of 3.2, VIF with one of 3.9, and the best of all combinations of three
with one of 2.7, too little better for what it takes to compute. A rate factor for each clip that VMAF itself chooses, which
needs far more time, would take 1 to 2% fewer bytes at the same means; one factor for all clips takes 3% more.
`
  return { page, plot: plotVideos(levels.medium) }
}

function levelRow(level: Level, levels: Results['levels']): string {
  const videos = levels[level]
  const ratios = videos.map(ratioOf)
  const times = videos.map(searchShare).filter((share) => share > 0)
  const larger = videos.filter(({ input_bytes, searched: { bytes } }) => bytes > input_bytes)
  const cells = [
    level,
    String(videos.length),
    geometricMean(ratios).toFixed(3),
    equalBytes(videos, levels).toFixed(3),
    `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
    ...(['fixed', 'searched'] as const).map((side) => summarize(videos, side, 'vmaf_mean')),
    ...(['fixed', 'searched'] as const).map((side) => summarize(videos, side, 'vmaf_low')),
    ...(['fixed', 'searched'] as const).map((side) => summarize(videos, side, 'similarity_mean')),
    ...[mean(times), Math.max(...times)].map((share) => share.toFixed(2)),
    String(larger.length),
  ]
  return `| ${cells.join(' | ')} |`
}

function videoRow(video: ComparedVideo): string {
  const { name, searched, input_bytes } = video
  const both = (key: Measure) => [video.fixed, searched].map((side) => formatMeasure(key, side[key] ?? 0))
  const cells = [
    name,
    String(searched.rate),
    ratioOf(video).toFixed(2),
    (searched.bytes / input_bytes).toFixed(2),
    ...[...both('vmaf_mean'), ...both('vmaf_low'), ...both('similarity_mean'), ...both('similarity_low')],
    searchShare(video) === 0 ? 'none' : searchShare(video).toFixed(2),
  ]
  return `| ${cells.join(' | ')} |`
}

/** Returns the bytes that the videos take at the VMAF of the fixed rate factor, if all levels were measured. */
function equalBytes(videos: readonly ComparedVideo[], levels: Results['levels']): number {
  const ratios = videos.flatMap(({ name, fixed, input_bytes }) => {
    const at = (level: Level) => levels[level].find((video) => video.name === name)?.searched
    const [light, medium, strong] = [at('light'), at('medium'), at('strong')]
    if (light === undefined || medium === undefined || strong === undefined) return []
    const bytes = bytesAtVmaf({ light, medium, strong }, fixed.vmaf_mean ?? 0)
    // A copy would replace a larger result.
    return [Math.min(bytes, input_bytes) / fixed.bytes]
  })
  return geometricMean(ratios)
}

/** Describes the videos that the fixed rate factor makes smaller, because a copy loses nothing. */
function withoutCopies(videos: readonly ComparedVideo[]): string {
  const smaller = videos.filter(({ fixed, input_bytes }) => fixed.bytes < input_bytes)
  const change = (key: Measure) =>
    mean(valuesOf(smaller, 'searched', key)) - mean(valuesOf(smaller, 'fixed', key))
  const changes = (['vmaf_mean', 'vmaf_low'] as const).map((key) => change(key).toFixed(2))
  return `For the ${smaller.length} clips that
the fixed rate factor makes smaller at the level medium, the bytes are ${geometricMean(smaller.map(ratioOf)).toFixed(3)}, and the mean VMAF changes by ${changes[0]}, the low
VMAF by ${changes[1]}.`
}

function ratioOf({ fixed, searched }: ComparedVideo): number {
  return searched.bytes / fixed.bytes
}

function searchShare({ search_cpu_seconds, fixed }: ComparedVideo): number {
  return search_cpu_seconds / fixed.cpu_seconds
}

function valuesOf(videos: readonly ComparedVideo[], side: 'fixed' | 'searched', key: Measure): number[] {
  return videos.map((video) => video[side][key] ?? 0)
}

function summarize(videos: readonly ComparedVideo[], side: 'fixed' | 'searched', key: Measure): string {
  const values = valuesOf(videos, side, key)
  return `${formatMeasure(key, mean(values))} (${formatMeasure(key, Math.min(...values))})`
}

function formatMeasure(key: Measure, value: number): string {
  return value.toFixed(key.startsWith('vmaf') ? 1 : 4)
}
