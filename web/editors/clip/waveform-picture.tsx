import { useEffect, useState } from 'preact/hooks'
import { readPeaks, waveformPath } from './waveform.ts'

const PARTS = 300

/** The audio of a file as a waveform; nothing if the browser cannot read it. */
export function Waveform({ file }: { file: File }) {
  const [peaks, setPeaks] = useState<number[] | null>(null)
  useEffect(() => {
    let isCurrent = true
    readPeaks(file, PARTS).then((read) => isCurrent && setPeaks(read))
    return () => {
      isCurrent = false
    }
  }, [file])
  if (peaks === null) return null
  return (
    <svg viewBox={`0 -1.1 ${PARTS} 2.2`} preserveAspectRatio="none" aria-hidden>
      <path d={waveformPath(peaks)} fill="currentColor" />
    </svg>
  )
}
