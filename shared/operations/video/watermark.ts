import { contentFile } from '../../captions/ass.ts'
import { watermarkScript } from '../../captions/watermark-text.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { type Fragment, videoEdit, withSize } from '../../ffmpeg/edit.ts'
import { encodedSize } from '../../ffmpeg/filters.ts'
import { overlayColors } from '../../ffmpeg/video/colors.ts'
import type { Size } from '../../ffmpeg/video/frame-size.ts'
import { refuseLogo, WATERMARK, watermarkOverlay } from '../../ffmpeg/watermark-overlay.ts'
import type { AssetFacts, VideoTrack } from '../../planning/facts.ts'
import type { ImageStep, LayerStep } from '../../planning/steps.ts'
import { cleanText, hasColoredEmoji } from '../../text/characters.ts'
import { placeBox } from '../../text/positions.ts'

/** Limits the input to PNG, the format that the sharp step writes. */
const PNG_INPUT = ['-format_whitelist', 'png_pipe', '-f', 'png_pipe']

/** Draws text or a logo over a video (Contract: Video operations, Full re-encode). */
export const watermark = defineVideoEdit({
  ...WATERMARK,
  credits: 3,
  facts: ['probe', 'assets'],
  edit({ params, facts: { probe, assets } }) {
    const size = encodedSize(probe.video)
    const drawn = { is_framewise: true, after: withSize(probe, size) } as const
    if (params.logo_url !== undefined) {
      const { logo_url: logo } = assets
      if (logo === undefined) return refuseLogo()
      const box = logoSize(logo, params, size)
      const step = resizeLogo(logo, box)
      const { file } = step.output
      const video = overlayLogo(file, box, params, size, probe.video)
      return videoEdit(probe, { ...drawn, video, images: [step], files: [{ file, options: PNG_INPUT }] })
    }
    const text = cleanText(params.text ?? '')
    if (hasColoredEmoji(text)) {
      const overlay = watermarkOverlay(params, { kind: 'text', text, color: params.color }, size)
      const file = contentFile(JSON.stringify(overlay), 'png')
      const video = overlayMark(file, { x: 0, y: 0 }, [overlayColors(probe.video)], size)
      const step: LayerStep = { kind: 'layer', overlay, output: { file } }
      return videoEdit(probe, { ...drawn, video, images: [step], files: [{ file, options: PNG_INPUT }] })
    }
    const content = watermarkScript(params, size)
    const file = contentFile(content, 'ass')
    return videoEdit(probe, {
      ...drawn,
      video: ({ input, output }) => `${input}${scaleTo(size)},ass=${file}${output}`,
      texts: [{ file, content }],
    })
  },
})

/** Scales to the output size before drawing, so the watermark is sharp to the pixel. */
function scaleTo({ width, height }: Size): string {
  return `scale=${width}:${height},setsar=1`
}

/** Returns the logo size: the requested width, reduced to fit the frame. */
function logoSize(logo: AssetFacts, params: { size: number; margin: number }, frame: Size): Size {
  const margin = (params.margin / 100) * frame.width
  const scale = Math.min(
    ((params.size / 100) * frame.width) / logo.width,
    Math.max(frame.height - 2 * margin, frame.height / 5) / logo.height,
  )
  return {
    width: Math.max(1, Math.round(logo.width * scale)),
    height: Math.max(1, Math.round(logo.height * scale)),
  }
}

/** Resizes the logo. Untrusted files are decoded by sharp; ffmpeg reads only the resulting small PNG. */
function resizeLogo({ file }: AssetFacts, { width, height }: Size): ImageStep {
  return {
    kind: 'image',
    input: file,
    actions: [{ action: 'resize', width, height, fit: 'fill' }],
    output: { file: `${file}-${width}x${height}.png`, format: 'png', quality: null, max_bytes: null },
  }
}

function overlayLogo(
  file: string,
  box: Size,
  params: { position: Parameters<typeof placeBox>[0]; opacity: number; margin: number; tiled: boolean },
  size: Size,
  frames: VideoTrack,
): Fragment {
  const place = params.tiled
    ? { x: 0, y: 0 }
    : placeBox(params.position, size, box, Math.round((params.margin / 100) * size.width))
  const mark = [
    'format=rgba',
    `colorchannelmixer=aa=${params.opacity}`,
    ...(params.tiled ? tileFilters(box, size) : []),
    overlayColors(frames),
  ]
  return overlayMark(file, place, mark, size)
}

function overlayMark(
  file: string,
  { x, y }: { x: number; y: number },
  filters: readonly string[],
  size: Size,
): Fragment {
  return (pads) =>
    [
      `${pads.file(file, 'v')}${filters.join(',')}${pads.own('mark')}`,
      `${pads.input}${scaleTo(size)}${pads.own('base')}`,
      `${pads.own('base')}${pads.own('mark')}overlay=x=${x}:y=${y}${pads.output}`,
    ].join(';')
}

/** Renders the repeated watermark into a single frame-sized tile, with space around each copy. */
function tileFilters(box: Size, frame: Size): string[] {
  const gap = Math.max(box.width / 2, frame.width / 16)
  const cell = { width: Math.round(box.width + gap), height: Math.round(box.height + gap) }
  const columns = Math.ceil(frame.width / cell.width) + 1
  const rows = Math.ceil(frame.height / cell.height) + 1
  return [
    `pad=${cell.width}:${cell.height}:-1:-1:color=black@0`,
    `loop=loop=${columns * rows - 1}:size=1`,
    `tile=${columns}x${rows}`,
    `crop=${frame.width}:${frame.height}`,
  ]
}
