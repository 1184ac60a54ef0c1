import type { Job } from '../../client/node/index.ts'
import { escapeHtml } from '../../shared/text/escape-html.ts'
import type { Media } from './describe-media.ts'
import type { Task } from './task.ts'
import { describeSize } from './terminal.ts'

/** Task states and their labels. `local` means that the server refused the link to the demo page. */
export const STATES = {
  done: 'done',
  failed: 'failed',
  off: 'disabled',
  local: 'refused as local',
} as const

export interface Outcome {
  task: Task
  state: keyof typeof STATES
  /** Why the task did not finish. */
  reason: string | null
  job: Job | null
  before: Media | null
  after: Media | null
}

/** Renders the contact sheet as one HTML page, with a before-and-after row for each task. */
export function contactSheet(outcomes: readonly Outcome[], made_at: string): string {
  const summary = summarize(outcomes)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>All operations</title><style>${STYLE}</style></head>
<body><h1>All operations</h1><p>${summary}. Made ${escapeHtml(made_at)}.</p>
<table><thead><tr><th>Operation</th><th>Before</th><th>After</th><th>Measured</th></tr></thead>
<tbody>
${outcomes.map(rowHtml).join('\n')}
</tbody></table></body></html>
`
}

function summarize(outcomes: readonly Outcome[]): string {
  const counts = Object.entries(STATES).map(([state, name]) => ({
    count: outcomes.filter((outcome) => outcome.state === state).length,
    name,
  }))
  return counts
    .filter(({ count, name }) => count > 0 || name === STATES.done || name === STATES.failed)
    .map(({ count, name }) => `${count} ${name}`)
    .join(', ')
}

function rowHtml({ task, state, reason, job, before, after }: Outcome): string {
  const params = escapeHtml(JSON.stringify(task.params, null, 1))
  const name = `${task.service_slug}/${task.operation_key}`
  const result = after === null ? `<p class="${state}">${escapeHtml(reason ?? state)}</p>` : mediaHtml(after)
  const caseHtml = task.case === undefined ? '' : `<p>${escapeHtml(task.case)}</p>`
  return `<tr class="${state}" id="${name}"><th><h2>${name}</h2>${caseHtml}<pre>${params}</pre></th>
<td>${before === null ? '' : mediaHtml(before)}</td><td>${result}</td><td>${job === null ? '' : measuredHtml(job)}</td></tr>`
}

function mediaHtml({ path, content_type, size_bytes, text, waveform, tags }: Media): string {
  const parts = [
    text === null ? playerHtml(path, content_type) : `<pre>${escapeHtml(text)}</pre>`,
    ...(waveform === null
      ? []
      : [`<img class="wave" src="${escapeHtml(encodeURI(waveform))}" alt="audio waveform">`]),
    `<p><a href="${escapeHtml(encodeURI(path))}">${escapeHtml(content_type)}</a>, ${describeSize(size_bytes)}</p>`,
    ...(tags === null ? [] : [`<pre>${escapeHtml(tags === '' ? 'no tags' : tags)}</pre>`]),
  ]
  return parts.join('')
}

function playerHtml(path: string, content_type: string): string {
  const source = escapeHtml(encodeURI(path))
  const [kind] = content_type.split('/')
  if (kind === 'image') return `<img src="${source}" alt="">`
  if (kind === 'audio') return `<audio controls preload="metadata" src="${source}"></audio>`
  // Controls cover the frame, so they appear only on mouse hover.
  if (kind === 'video')
    return `<video loop preload="auto" onmouseenter="this.controls = true" src="${source}#t=1.2"></video>`
  return ''
}

function measuredHtml({ processing_seconds, final_cost, result }: Job): string {
  const facts = { seconds: processing_seconds, credits: final_cost, ...result?.body }
  const rows = Object.entries(facts).map(([key, value]) => {
    const shown = typeof value === 'string' ? value : JSON.stringify(value)
    return `<dt>${escapeHtml(key)}</dt><dd>${escapeHtml(truncate(shown ?? ''))}</dd>`
  })
  return `<dl>${rows.join('')}</dl>`
}

function truncate(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

const STYLE = `
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif }
body { margin: 2rem auto; max-width: 1280px; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { border-top: 1px solid #8884; padding: .8rem .6rem; text-align: left; vertical-align: top; font-weight: normal }
h2 { font-size: 1rem; margin: 0 }
img, video { max-width: 320px; max-height: 320px; display: block; background: repeating-conic-gradient(#8883 0 25%, #fff3 0 50%) 0 / 16px 16px }
img.wave { background: none; margin-top: .3rem }
pre { margin: .3rem 0; white-space: pre-wrap; overflow-wrap: anywhere; max-width: 320px; font-size: 12px }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0 .8rem; margin: 0; font-size: 12px }
dt { opacity: .7 } dd { margin: 0; overflow-wrap: anywhere }
p { margin: .3rem 0 }
p.failed { color: #fff; background: #c0392b; padding: .5rem }
p.off, p.local { opacity: .6 }
td:last-child { min-width: 240px }
`
