/** What was measured on an input before anything is decided. The fleet's `facts/` gathers them. */
export interface Facts {
  probe: MediaProbe
  image: ImageFacts
  /** The files that the operation's `assets` asked for, by the same names. */
  assets: Record<string, AssetFacts>
}

export interface AssetFacts {
  /** Its name in the job's folder. */
  file: string
  /** Of a picture; 0 for sound. */
  width: number
  height: number
  /** Of sound; 0 for a picture. */
  duration_seconds: number
}

export type FactName = keyof Facts

export interface MediaProbe {
  /** ffprobe's format_name, e.g. "mov,mp4,m4a,3gp,3g2,mj2". */
  container: string
  duration_seconds: number
  /** The picture that plays; cover art doesn't count. */
  video: VideoTrack
  audio: AudioTrack[]
  /** Absent where nobody looked: then a remux leaves them out. */
  subtitles?: SubtitleTrack[]
}

export interface VideoTrack {
  /** Position among all streams of the file, as ffmpeg's `-map 0:N` counts. */
  index: number
  codec: string
  /** As a player shows it: after rotation and with square pixels. */
  width: number
  height: number
  /** Clockwise, as the container's display matrix asks for: 0, 90, 180 or 270. */
  rotation_degrees: number
  frames_per_second: number
  pixel_format: string
  /** ffprobe's color_transfer; "smpte2084" and "arib-std-b67" are HDR. */
  color_transfer: string | null
  interlaced: boolean
}

export interface AudioTrack {
  index: number
  codec: string
  channels: number
}

export interface SubtitleTrack {
  index: number
  codec: string
}

export interface ImageFacts {
  format: string
  /** After the EXIF orientation is applied. */
  width: number
  height: number
  /** Frames of an animation; 1 for a still picture. */
  pages: number
  has_alpha: boolean
}
