import WaveSurfer from 'wavesurfer.js'
import { theme } from '../../shell/theme.ts'
import { readPeaks } from './peaks.ts'

const PARTS = 1000
/** A zoomed timeline has more bars than parts, and the library draws no more bars than it has peaks. */
const BARS_PER_PART = 32
/** Magnitude that counts as silence: -40 dB. It limits how much quiet recordings are amplified. */
const QUIET = 0.01
/** Part of the library's style element, whose hash the Content-Security-Policy has (edge/web-app/policy.ts). */
const STYLE_HEIGHT = 1

export interface DrawnVideo {
  file: File
  video: HTMLVideoElement
  length_seconds: number
}

/** Draws the position of the player and, if the browser can decode it, the audio of its file, until it is aborted. */
export async function drawWaveform(
  container: HTMLElement,
  { file, video, length_seconds }: DrawnVideo,
  signal: AbortSignal,
): Promise<void> {
  const peaks = await readPeaks(file, length_seconds, PARTS, signal)
  if (signal.aborted) return
  const bars = Float32Array.from(
    { length: PARTS * BARS_PER_PART },
    (_, bar) => peaks?.[Math.floor(bar / BARS_PER_PART)] ?? 0,
  )
  container.toggleAttribute('data-silent', peaks === null)
  const waveform = WaveSurfer.create({
    container,
    media: video,
    duration: length_seconds,
    // Without peaks, the library would decode the whole file.
    peaks: [bars],
    ...{ normalize: true, maxPeak: Math.max(QUIET, ...(peaks ?? [])) },
    ...{ height: STYLE_HEIGHT, barWidth: 2, barGap: 1, barMinHeight: 1, cursorWidth: 2 },
    ...{ interact: false, autoScroll: false, hideScrollbar: true },
  })
  waveform.setOptions({ height: 'auto' })
  followTheme(waveform, container, signal)
  followTimeline(waveform, container, signal)
  signal.addEventListener('abort', () => waveform.destroy())
}

/** Keeps a waveform in the colors of its container. A canvas keeps the colors in which it was drawn. */
function followTheme(waveform: WaveSurfer, container: HTMLElement, signal: AbortSignal): void {
  const recolor = () => {
    if (signal.aborted) return
    const { color, caretColor } = getComputedStyle(container)
    waveform.setOptions({ waveColor: color, progressColor: color, cursorColor: caretColor })
  }
  signal.addEventListener(
    'abort',
    theme.subscribe(() => void requestAnimationFrame(recolor)),
  )
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolor, { signal })
}

/**
 * Keeps a waveform at the width and the position of the timeline around its container. The container is only as wide
 * as what is visible of the timeline, because a canvas of a whole zoomed one could fill the memory of a phone.
 */
function followTimeline(waveform: WaveSurfer, container: HTMLElement, signal: AbortSignal): void {
  const timeline = container.parentElement ?? container
  const scroll = () =>
    waveform.setScroll(container.getBoundingClientRect().left - timeline.getBoundingClientRect().left)
  const observer = new ResizeObserver(() => {
    const { clientWidth: width } = timeline
    const minPxPerSec = width > container.clientWidth ? width / waveform.getDuration() : 0
    waveform.setOptions({ minPxPerSec })
    scroll()
  })
  observer.observe(timeline)
  signal.addEventListener('abort', () => observer.disconnect())
  // Scroll events do not bubble, but can be captured.
  document.addEventListener('scroll', scroll, { capture: true, passive: true, signal })
}
