import type { ComponentChildren } from 'preact'
import { Skeleton } from '../../design/surfaces.tsx'
import { CannotShow } from '../media/cannot-show.tsx'
import { useObjectUrl } from '../media/use-object-url.ts'
import styles from './clip-editor.module.css'
import { useVideo, type VideoFacts } from './use-video.ts'

interface ClipStageProps {
  file: File
  /** Height of what follows the video, which is reserved until the video is measured. */
  height: string
  children: (video: HTMLVideoElement | null, facts: VideoFacts) => ComponentChildren
}

/** The video of an editor, and below it what needs to know its length and frame rate. */
export function ClipStage({ file, height, children }: ClipStageProps) {
  const url = useObjectUrl(file)
  const { ref, facts, isUnreadable } = useVideo(url)
  if (isUnreadable) return <CannotShow />
  return (
    <div class={styles.editor}>
      <div class={styles.picture}>
        {url !== null && <video ref={ref} src={url} muted playsInline preload="auto" tabIndex={-1} />}
      </div>
      {facts === null ? <Skeleton height={height} /> : children(ref.current, facts)}
    </div>
  )
}
