import { escapeHtml } from '../../shared/text/escape-html.ts'
import type { Example, Figure } from './operation-examples.ts'

/**
 * Captions of the previews in which someone speaks. Their one cue lasts the whole preview, so that it also fits those
 * that an operation has shortened.
 */
export const CAPTIONS: Readonly<Record<string, string>> = {
  'sample-talk-audio.mp4': 'talk.vtt',
  'video-speed.mp4': 'talk.vtt',
  'video-add_audio.mp4': 'talk.vtt',
  'video-auto_edit.mp4': 'talk.vtt',
  'sample-noisy-audio.mp4': 'noisy.vtt',
  'video-enhance_voice.mp4': 'noisy.vtt',
}

/** Shows the files before and after an operation side by side. */
export function comparison({ before, after, params }: Example): string {
  const figures = [before && figureHtml(before, 'Before'), after && figureHtml(after, 'After')].filter(
    Boolean,
  )
  const code = escapeHtml(JSON.stringify(params))
  return `<div class="comparison">\n${figures.join('\n')}\n</div>\n\n<p class="params">Made with <code>${code}</code></p>`
}

function figureHtml(figure: Figure, title: string): string {
  return `<figure>${mediaHtml(figure, title)}<figcaption>${title}: ${escapeHtml(figure.caption)}</figcaption></figure>`
}

function mediaHtml({ file, kind, width, height, text }: Figure, title: string): string {
  const size = `width="${width}" height="${height}"`
  if (kind === 'text' || file === null) return `<pre tabindex="0">${escapeHtml(text ?? '')}</pre>`
  const address = `/docs/media/${file}`
  if (kind === 'image') return `<img src="${address}" ${size} alt="${title}" loading="lazy">`
  const options = 'controls loop muted playsinline preload="metadata"'
  return `<video src="${address}" ${size} aria-label="${title}" ${options}>${captionTrack(file)}</video>`
}

function captionTrack(file: string): string {
  const captions = CAPTIONS[file]
  if (captions === undefined) return ''
  return `<track kind="captions" src="/docs/captions/${captions}" srclang="en" label="English">`
}
