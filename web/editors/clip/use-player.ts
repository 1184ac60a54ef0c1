import { useEffect, useState } from 'preact/hooks'

/** Plays a part of a video, and stops before `end_seconds`. */
export function usePlayer(video: HTMLVideoElement | null, end_seconds: number) {
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    if (video === null || !isPlaying) return
    let request = 0
    const watch = () => {
      if (video.currentTime >= end_seconds || video.ended || video.paused) {
        video.pause()
        setPlaying(false)
      } else request = requestAnimationFrame(watch)
    }
    request = requestAnimationFrame(watch)
    return () => cancelAnimationFrame(request)
  }, [video, isPlaying, end_seconds])
  return {
    isPlaying,
    pause() {
      video?.pause()
      setPlaying(false)
    },
    playFrom(seconds: number) {
      if (video === null) return
      video.currentTime = seconds
      video.muted = false
      video.play().then(
        () => setPlaying(true),
        () => setPlaying(false),
      )
    },
  }
}
