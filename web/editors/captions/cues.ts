import { readCues } from '../../../shared/captions/read-cues.ts'

/** One subtitle: shown from `start` to `end`, in seconds. NaN stands for a time that cannot be read. */
export interface Cue {
  start: number
  end: number
  text: string
}

/** Length of a cue that is added, in seconds. */
const NEW_CUE_SECONDS = 2

/** Reads SubRip, WebVTT or ASS, as the service does. */
export function parseCues(subtitles: string): Cue[] {
  return readCues(subtitles).cues.map((cue) => ({ ...cue, text: cue.text.trim() }))
}

/** Writes SubRip. An empty line within a text would end its cue. */
export function writeCues(cues: readonly Cue[]): string {
  const blocks = cues.map(({ start, end, text }, index) => {
    const lines = text.replace(/\n\s*\n+/g, '\n').replaceAll('-->', '→')
    return `${index + 1}\n${clock(start)} --> ${clock(end)}\n${lines}\n`
  })
  return blocks.join('\n')
}

/** Writes the complete cues as WebVTT, which browsers can show. */
export function writePreview(cues: readonly Cue[]): string {
  const blocks = cues
    .filter((cue) => cueFault(cue) === null)
    .map(({ start, end, text }) => {
      const escaped = text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replace(/\n\s*\n+/g, '\n')
      return `${clock(start, '.')} --> ${clock(end, '.')}\n${escaped}\n`
    })
  return ['WEBVTT\n', ...blocks].join('\n')
}

function clock(seconds: number, point: ',' | '.' = ','): string {
  const total_ms = Math.round(Math.max(0, seconds || 0) * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(total_ms / 3_600_000), Math.floor(total_ms / 60_000) % 60]
  const rest = `${two(Math.floor(total_ms / 1000) % 60)}${point}${String(total_ms % 1000).padStart(3, '0')}`
  return `${two(hours)}:${two(minutes)}:${rest}`
}

/** Returns the cue that begins after the others, or at the position of the player if that is later. */
export function nextCue(cues: readonly Cue[], position_seconds: number): Cue {
  const start = Math.max(position_seconds, ...cues.map(({ end }) => end || 0))
  const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000
  return { start: rounded(start), end: rounded(start + NEW_CUE_SECONDS), text: '' }
}

/** Returns what is wrong with a cue, or null. The service leaves out cues that are empty or end before they start. */
export function cueFault({ start, end, text }: Cue): 'time' | 'order' | 'text' | null {
  if (!Number.isFinite(start) || !Number.isFinite(end)) return 'time'
  if (end <= start) return 'order'
  return text.trim() === '' ? 'text' : null
}
