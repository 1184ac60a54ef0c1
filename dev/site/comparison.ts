import { escapeHtml } from '../demo/sheet.ts'
import type { Example, Figure } from './operation-examples.ts'

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
  return `<video src="${address}" ${size} aria-label="${title}" controls loop muted playsinline preload="metadata"></video>`
}
