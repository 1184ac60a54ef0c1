import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Skeleton } from '../../design/surfaces.tsx'
import type { EditorProps } from '../editor-props.ts'
import { CannotShow } from '../media/cannot-show.tsx'
import { useObjectUrl } from '../media/use-object-url.ts'
import styles from './area.module.css'
import type { Size } from './geometry.ts'

/** The first frames of videos are often black. */
const SHOWN_PART = 0.1

interface PictureProps extends Pick<EditorProps, 'file' | 'kind'> {
  /** Returns what lies over the picture. */
  children: (size: Size) => ComponentChildren
}

/** An image, or a frame of a video, upright and in full, with an overlay of the same size. */
export function Picture({ file, kind, children }: PictureProps) {
  const url = useObjectUrl(file)
  const [size, setSize] = useState<Size | null>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  if (isUnreadable) return <CannotShow />
  const measure = (width: number, height: number) => {
    if (width === 0 || height === 0) setUnreadable(true)
    else setSize({ width, height })
  }
  const onError = () => setUnreadable(true)
  return (
    <div class={styles.stage}>
      {size === null && <Skeleton height="20rem" />}
      <div class={styles.picture} hidden={size === null}>
        {url !== null && kind === 'image' && (
          <img
            src={url}
            alt=""
            draggable={false}
            onLoad={({ currentTarget }) => measure(currentTarget.naturalWidth, currentTarget.naturalHeight)}
            onError={onError}
          />
        )}
        {url !== null && kind === 'video' && (
          <video
            src={url}
            muted
            playsInline
            preload="auto"
            tabIndex={-1}
            onLoadedMetadata={({ currentTarget: video }) => {
              if (Number.isFinite(video.duration)) video.currentTime = video.duration * SHOWN_PART
              measure(video.videoWidth, video.videoHeight)
            }}
            onError={onError}
          />
        )}
        {size !== null && children(size)}
      </div>
    </div>
  )
}
