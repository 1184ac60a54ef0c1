import { COMPRESSED_CODECS, type CompressedCodec } from '../../shared/ffmpeg/compressed-video.ts'
import type { ComparedCodecs } from './compare-codecs.ts'
import { bytesAtVmaf } from './equal-bytes.ts'
import { geometricMean, mean } from './means.ts'

/** Heading of the part of docs/quality.md about codecs. */
export const CODECS_HEADING = '## Codecs'

const NEWER = ['hevc', 'av1'] as const

/** Writes the part of docs/quality.md that compares the codecs of `compress`. */
export function writeCodecPart(corpus: string, clips: readonly ComparedCodecs[]): string {
  return `${CODECS_HEADING}

\`compress\` with each \`codec\`: x264, x265, and SVT-AV1 with its preset 8 for \`medium\`. Each level searches for a rate
factor on the scale of the encoder. VMAF is the mean of all clips at the level medium, with the worst clip in parentheses.
Bytes and time are relative to H.264, as geometric means of the clips: bytes at the level medium; bytes at the VMAF that
H.264 has at this level, interpolated between the levels of the codec; and CPU time at this level, with the search. The
clips are ${corpus}.

| codec | clips | VMAF | bytes | bytes at equal VMAF | range | CPU time |
| ----- | ----- | ---- | ----- | ------------------- | ----- | -------- |
${COMPRESSED_CODECS.map((codec) => codecRow(codec, clips)).join('\n')}

| clip | ${COMPRESSED_CODECS.map((codec) => `VMAF, ${codec}`).join(' | ')} | ${NEWER.map((codec) => `bytes at equal VMAF, ${codec}`).join(' | ')} |
| ---- | ${COMPRESSED_CODECS.map(() => '---').join(' | ')} | ${NEWER.map(() => '---').join(' | ')} |
${clips.map(clipRow).join('\n')}
`
}

function codecRow(codec: CompressedCodec, clips: readonly ComparedCodecs[]): string {
  const vmafs = clips.map(({ codecs }) => codecs[codec].medium.vmaf_mean ?? 0)
  const ratioOf = (key: 'bytes' | 'cpu_seconds') =>
    geometricMean(clips.map(({ codecs }) => codecs[codec].medium[key] / codecs.h264.medium[key]))
  const equal = clips.map((clip) => equalBytes(clip, codec))
  const cells = [
    codec,
    String(clips.length),
    `${mean(vmafs).toFixed(1)} (${Math.min(...vmafs).toFixed(1)})`,
    ratioOf('bytes').toFixed(2),
    geometricMean(equal).toFixed(2),
    `${Math.min(...equal).toFixed(2)} to ${Math.max(...equal).toFixed(2)}`,
    ratioOf('cpu_seconds').toFixed(1),
  ]
  return `| ${cells.join(' | ')} |`
}

function clipRow(clip: ComparedCodecs): string {
  const cells = [
    ...COMPRESSED_CODECS.map((codec) => (clip.codecs[codec].medium.vmaf_mean ?? 0).toFixed(1)),
    ...NEWER.map((codec) => equalBytes(clip, codec).toFixed(2)),
  ]
  return `| ${[clip.name, ...cells].join(' | ')} |`
}

/** Returns the bytes that a codec needs for the VMAF of H.264, relative to H.264. */
function equalBytes({ codecs }: ComparedCodecs, codec: CompressedCodec): number {
  const { medium } = codecs.h264
  return bytesAtVmaf(codecs[codec], medium.vmaf_mean ?? 0) / medium.bytes
}
