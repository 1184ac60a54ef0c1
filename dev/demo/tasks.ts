import { QUALITY } from './quality-tasks.ts'
import type { Task } from './task.ts'

const SUBTITLES = '1\n00:00:00,500 --> 00:00:03,500\nYour own subtitles, to switch on and off\n'

const VIDEO: Omit<Task, 'service_slug'>[] = [
  { operation_key: 'compress', sample: 'clip', params: { level: 'strong' } },
  {
    operation_key: 'resize',
    sample: 'clip',
    params: { width: 200, height: 200, mode: 'pad', color: '#336699' },
  },
  { operation_key: 'convert', sample: 'clip', params: { format: 'webm' } },
  { operation_key: 'social', sample: 'clip', params: { preset: 'square' } },
  { operation_key: 'trim', sample: 'clip', params: { start: 1.2, duration: 1.5 } },
  { operation_key: 'fps', sample: 'clip', params: { fps: 10 } },
  { operation_key: 'faststart', sample: 'clip', params: {} },
  { operation_key: 'mute', sample: 'clip', params: {}, shows: 'audio' },
  { operation_key: 'speed', sample: 'talk', params: { factor: 1.5 }, shows: 'audio' },
  { operation_key: 'rotate', sample: 'clip', params: { mode: '90cw' } },
  { operation_key: 'flip', sample: 'clip', params: { axis: 'h' } },
  { operation_key: 'gif', sample: 'clip', params: { start: 1, duration: 2, width: 240 } },
  { operation_key: 'thumbnail', sample: 'clip', params: { smart: true } },
  {
    operation_key: 'cover',
    sample: 'clip',
    params: { title: 'A title over the best frame', subtitle: 'Заголовок · 見出し' },
  },
  { operation_key: 'extract_audio', sample: 'talk', params: { format: 'mp3' }, shows: 'audio' },
  { operation_key: 'enhance_voice', sample: 'noisy', params: { level: 'strong' }, shows: 'audio' },
  {
    operation_key: 'add_audio',
    sample: 'talk',
    params: {
      tracks: [{ url: 'sample:music', volume: 0.5, loop: true, fade_in: 1, fade_out: 2, duck: true }],
    },
    shows: 'audio',
  },
  { operation_key: 'circle', sample: 'clip', params: { diameter: 240, zoom: 1.2, bg_color: '#ffffff' } },
  { operation_key: 'blur_bg', sample: 'clip', params: { aspect: '9:16', resolution: 270 } },
  {
    operation_key: 'watermark',
    sample: 'clip',
    params: { logo_url: 'sample:logo', position: 'tr', size: 18 },
  },
  { operation_key: 'subtitles', sample: 'talk', params: { style: 'karaoke' } },
  { operation_key: 'subtitles', sample: 'clip', params: { mode: 'embed', subtitles_text: SUBTITLES } },
  { operation_key: 'transcribe', sample: 'talk', params: { format: 'srt' } },
  { operation_key: 'auto_edit', sample: 'talk', params: {}, shows: 'audio' },
  { operation_key: 'device_meta', sample: 'clip', params: { preset: 'iphone_16_pro' }, shows: 'tags' },
  { operation_key: 'strip_metadata', sample: 'clip', params: {}, shows: 'tags' },
  { operation_key: 'link_info', sample: 'link', params: { include: ['info', 'formats', 'thumbnails'] } },
  { operation_key: 'download_video', sample: 'link', params: {} },
  { operation_key: 'download_audio', sample: 'link', params: {} },
  { operation_key: 'download_thumbnail', sample: 'link', params: {} },
  { operation_key: 'link_transcribe', sample: 'link', params: {} },
  { operation_key: 'link_captions', sample: 'link', params: { style: 'boxed' } },
]

const IMAGE: Omit<Task, 'service_slug'>[] = [
  { operation_key: 'resize', sample: 'photo', params: { width: 320 } },
  { operation_key: 'compress', sample: 'photo', params: { max_kb: 20 } },
  { operation_key: 'convert', sample: 'photo', params: { format: 'avif' } },
  { operation_key: 'crop', sample: 'photo', params: { crop_aspect: '1:1', gravity: 'right' } },
  { operation_key: 'circle', sample: 'photo', params: { diameter: 300, offset_x: 0.6 } },
  { operation_key: 'transform', sample: 'photo', params: { rotate: 20, bg_color: '#ffffff' } },
  { operation_key: 'enhance', sample: 'photo', params: { grayscale: true, contrast: 1.3, sharpness: 1.5 } },
  {
    operation_key: 'social',
    sample: 'photo',
    params: { width: 600, height: 600, resize_mode: 'fit', bg_color: '#223344' },
  },
  { operation_key: 'web_optimize', sample: 'photo', params: { format: 'webp', max_kb: 30 }, shows: 'tags' },
  {
    operation_key: 'strip_meta',
    sample: 'photo',
    params: { metadata_mode: 'merge', strip_gps: true },
    shows: 'tags',
  },
  { operation_key: 'device_meta', sample: 'photo', params: { preset: 'canon_eos_r5' }, shows: 'tags' },
  {
    operation_key: 'watermark',
    sample: 'photo',
    params: { text: '© Ваше ім’я · 名前', tiled: true, opacity: 0.4 },
  },
  {
    operation_key: 'edit',
    sample: 'photo',
    params: {
      operations: [
        { operation_key: 'crop', params: { crop_aspect: '1:1' } },
        { operation_key: 'enhance', params: { saturation: 1.8 } },
        { operation_key: 'watermark', params: { logo_url: 'sample:logo', position: 'br', size: 25 } },
      ],
    },
  },
]

/** Covers every operation of the catalog at least once, then the cases in which quality is easily lost. */
export const TASKS: readonly Task[] = [
  ...VIDEO.map((task) => ({ service_slug: 'video' as const, ...task })),
  ...IMAGE.map((task) => ({ service_slug: 'image' as const, ...task })),
  ...QUALITY,
]

/** Replaces every `sample:<name>` in `value` with the URL of that sample. */
export function withAddresses(value: unknown, addressOf: (sample: string) => string): unknown {
  if (typeof value === 'string') return value.startsWith('sample:') ? addressOf(value.slice(7)) : value
  if (Array.isArray(value)) return value.map((entry) => withAddresses(entry, addressOf))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withAddresses(inner, addressOf)]),
  )
}
