import { useEffect, useRef, useState } from 'preact/hooks'
import { measureFrameRate } from './measure-frame-rate.ts'

/** Assumed where the browser reports no frames, which also is the rate of most videos. */
const USUAL_RATE = 30

export interface VideoFacts {
  length_seconds: number
  width: number
  height: number
  rate: number
}

/**
 * Measures the video of a URL, which an element with the ref shows.
 * @returns facts, which are null until they are known, and whether the browser cannot decode the video
 */
export function useVideo(url: string | null) {
  const ref = useRef<HTMLVideoElement>(null)
  const [facts, setFacts] = useState<VideoFacts | null>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  useEffect(() => {
    const video = ref.current
    if (video === null) return
    let isMeasured = false
    const measure = async () => {
      if (isMeasured) return
      isMeasured = true
      const { duration, videoWidth: width, videoHeight: height } = video
      if (!Number.isFinite(duration) || width === 0) return setUnreadable(true)
      const rate = (await measureFrameRate(video)) ?? USUAL_RATE
      setFacts({ length_seconds: duration, width, height, rate })
    }
    const onLoaded = () => void measure()
    const onError = () => setUnreadable(true)
    video.addEventListener('loadeddata', onLoaded, { once: true })
    video.addEventListener('error', onError)
    // A small file can be loaded before this effect runs, which is after the browser has painted.
    if (video.readyState >= video.HAVE_CURRENT_DATA) onLoaded()
    else if (video.error !== null) onError()
    return () => {
      video.removeEventListener('loadeddata', onLoaded)
      video.removeEventListener('error', onError)
    }
  }, [url])
  return { ref, facts, isUnreadable }
}
