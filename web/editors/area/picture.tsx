import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Skeleton } from '../../design/surfaces.tsx'
import type { EditorProps } from '../editor-props.ts'
import { CannotShow } from '../media/cannot-show.tsx'
import { useObjectUrl } from '../media/use-object-url.ts'
import styles from './area.module.css'
import type { Size } from './geometry.ts'

/** The first frames of videos are often black. */
const SHOWN_PART = 0.1

/** Times are whole milliseconds; just after them, the frame is shown that begins there. */
const ROUNDING_S = 0.001

interface PictureProps extends Pick<EditorProps, 'file' | 'kind' | 'params'> {
  /** Returns what lies over the picture. */
  children: (size: Size) => ComponentChildren
}

/**
 * An image, or a frame of a video, upright and in full, with an overlay of the same size. The frame is the one that
 * the parameters choose, or with which the clip begins.
 */
export function Picture({ file, kind, params, children }: PictureProps) {
  const url = useObjectUrl(file)
  const [size, setSize] = useState<Size | null>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  const video = useRef<HTMLVideoElement>(null)
  const chosen = params.at ?? params.start
  const showFrame = () => {
    if (video.current === null || !Number.isFinite(video.current.duration)) return
    const seconds = typeof chosen === 'number' ? chosen + ROUNDING_S : video.current.duration * SHOWN_PART
    video.current.currentTime = seconds
  }
  useEffect(showFrame, [chosen])
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
            ref={video}
            src={url}
            muted
            playsInline
            preload="auto"
            tabIndex={-1}
            onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) => {
              showFrame()
              measure(videoWidth, videoHeight)
            }}
            onError={onError}
          />
        )}
        {size !== null && children(size)}
      </div>
    </div>
  )
}
