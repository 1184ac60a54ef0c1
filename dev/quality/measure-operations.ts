import { similarVideo } from '../../shared/ffmpeg/compressed-video.ts'
import { webVideo } from '../../shared/ffmpeg/filters.ts'
import { VIDEO_ENCODERS } from '../../shared/ffmpeg/output/encoders.ts'
import { RATE_TARGETS } from '../../shared/ffmpeg/rate/targets.ts'
import type { Comparison, EncoderChange } from './compare-video.ts'
import { compareAll } from './measure-videos.ts'
import type { ComparedOperation } from './operation-page.ts'

const H264: EncoderChange = {
  options: VIDEO_ENCODERS.libx264,
  former: webVideo({ crf: 20, preset: 'veryfast' }),
}
const TRIM: EncoderChange = {
  options: similarVideo('h264', { crf: RATE_TARGETS.trim.lowest, preset: 'fast' }),
  former: webVideo({ crf: 18, preset: 'fast' }),
}
const CIRCLE: EncoderChange = {
  options: similarVideo('h264', { crf: RATE_TARGETS.circle.lowest, preset: 'fast' }),
  former: webVideo({ crf: 23, preset: 'fast' }),
}
const HEVC: EncoderChange = {
  options: VIDEO_ENCODERS.libx265,
  former: [
    ...['-c:v', 'libx265', '-preset', 'fast', '-crf', '23', '-pix_fmt', 'yuv420p'],
    ...['-x265-params', 'log-level=error'],
  ],
}
const VP9: EncoderChange = {
  options: VIDEO_ENCODERS['libvpx-vp9'],
  former: [
    ...['-c:v', 'libvpx-vp9', '-crf', '31', '-b:v', '0', '-pix_fmt', 'yuv420p'],
    ...['-deadline', 'good', '-cpu-used', '4', '-row-mt', '1', '-tile-columns', '2'],
  ],
}

/** Operations that leave the quality open. `convert` copies videos that are H.264 already, and those say nothing. */
const OPERATIONS: readonly (Comparison & { title: string })[] = [
  { title: '`convert` to H.264', operation: ['convert', { vcodec: 'libx264' }], encoder: H264 },
  { title: '`resize` to a width of 640', operation: ['resize', { width: 640 }], encoder: H264 },
  { title: '`trim`', operation: ['trim', { start: 2 }], encoder: TRIM, changes_frames: true },
  { title: '`circle`', operation: ['circle', { start: 2 }], encoder: CIRCLE, changes_frames: true },
  {
    title: '`auto_edit`',
    operation: ['auto_edit', { language: 'en' }],
    encoder: H264,
    changes_frames: true,
    needs_speech: true,
  },
  { title: '`speed` 2', operation: ['speed', { factor: 2 }], encoder: H264, changes_frames: true },
  { title: '`fps` 60', operation: ['fps', { fps: 60 }], encoder: H264, changes_frames: true },
  { title: '`convert` to H.265', operation: ['convert', { vcodec: 'libx265' }], encoder: HEVC },
  { title: '`convert` to WebM', operation: ['convert', { format: 'webm' }], encoder: VP9 },
]

/** Compares operations that leave the quality open with the same ones and their former encoders. */
export async function measureOperations(folder: string): Promise<ComparedOperation[]> {
  const compared: ComparedOperation[] = []
  for (const { title, ...comparison } of OPERATIONS)
    compared.push({ title, videos: await compareAll(folder, comparison) })
  return compared
}
