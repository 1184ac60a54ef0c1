import { useEffect, useState } from 'preact/hooks'
import { defineTexts } from '../../text/define-texts.ts'
import styles from './timeline.module.css'
import { canReadPeaks, readPeaks, waveformPath } from './waveform.ts'

const PARTS = 300

const texts = defineTexts({
  en: { too_large: 'The file is too large to draw its audio.' },
  uk: { too_large: 'Файл завеликий, щоб намалювати його звук.' },
  ru: { too_large: 'Файл слишком большой, чтобы нарисовать его звук.' },
})

/**
 * The audio of a file as a waveform; nothing if it has none, or if the browser cannot read it. Drawn here, because
 * wavesurfer.js violates the Content-Security-Policy by a style element in its shadow root, and its regions cannot be
 * operated by keyboard; the license of peaks.js is LGPL.
 */
export function Waveform({ file }: { file: File }) {
  const [peaks, setPeaks] = useState<number[] | null>(null)
  useEffect(() => {
    let isCurrent = true
    readPeaks(file, PARTS).then((read) => isCurrent && setPeaks(read))
    return () => {
      isCurrent = false
    }
  }, [file])
  if (!canReadPeaks(file)) return <span class={styles.note}>{texts().too_large}</span>
  if (peaks === null) return null
  return (
    <svg viewBox={`0 -1.1 ${PARTS} 2.2`} preserveAspectRatio="none" aria-hidden>
      <path d={waveformPath(peaks)} fill="currentColor" />
    </svg>
  )
}
