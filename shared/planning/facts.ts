import type { LinkInfo } from '../links/info.ts'

/** What was measured on an input before anything is decided. The fleet's `facts/` gathers them. */
export interface Facts {
  probe: MediaProbe
  image: ImageFacts
  /** The files that the operation's `assets` asked for, by the same names. */
  assets: Record<string, AssetFacts>
  /** What is said on the first sound track, heard as the parameters language, quality and task ask. */
  transcript: Transcript
  /** Where the first sound track is silent, in order and apart. */
  silences: TimeRange[]
  /** How loud each sound track is, in their order, before and after the filters of enhance_voice. */
  loudness: TrackLoudness[]
  /**
   * A copy can begin at a keyframe alone: so long before params.start. 0 as well where there are no subtitles or
   * chapters, which must be timed by that.
   */
  lead_seconds: number
  /** What is known of a public video link, and what was fetched of it. */
  link: LinkFacts
}

/** Measured by EBU R128, mixed down to stereo. */
export interface TrackLoudness {
  /** Integrated, in LUFS; null where there is nothing to hear, or too little to tell. */
  source_lufs: number | null
  /** The quietest 50 ms, in dBFS; null where they are digital silence. */
  noise_dbfs: number | null
  /** After the filters, before their sound is brought to its level; null where source_lufs is. */
  filtered: { integrated_lufs: number; true_peak_dbtp: number } | null
}

export interface LinkFacts {
  info: LinkInfo
  /** Now, ISO 8601: what was counted was counted then. */
  fetched_at: string
  /** The file that was fetched; null for a picture, and where nothing was. */
  media: LinkMedia | null
}

/** As MediaProbe, but a file with sound alone has no picture. */
export type LinkMedia = Omit<MediaProbe, 'video'> & { video: VideoTrack | null }

/** In seconds from the start of the video. */
export interface TimeRange {
  start: number
  end: number
}

export interface Word extends TimeRange {
  /** Without blanks around it; punctuation belongs to the word before it. */
  text: string
  /** 0 to 1, where the engine tells. */
  confidence?: number
}

export interface Transcript {
  /** ISO 639-1 */
  language: string
  /** In their order; none where nothing is said. */
  words: Word[]
}

export interface AssetFacts {
  /** Its name in the job's folder. */
  file: string
  /** Of a picture; 0 for sound. */
  width: number
  height: number
  /** Of sound; 0 for a picture. */
  duration_seconds: number
  /** Of sound; 0 or absent for others. */
  channels?: number
  /** What a text file says. */
  text?: string
}

export type FactName = keyof Facts

export interface MediaProbe {
  /** ffprobe's format_name, e.g. "mov,mp4,m4a,3gp,3g2,mj2". */
  container: string
  duration_seconds: number
  /** Its header tells of so much more, which did not come: it was cut off on its way. */
  missing_seconds?: number
  /** A cut ended it: no frame begins after its duration. */
  exact_length?: true
  /** Its clock begins anew on the way, as in files that were joined: a seek may land anywhere. */
  clock_restarts?: true
  /** An edit list hides its first frames. Only MP4 and QuickTime have such lists. */
  hides_start?: true
  /** What the clock of a broadcast says at the start of the file. Absent for other files. */
  clock_start_seconds?: number
  /** A short look at its first seconds told of all its tracks (video/short-look.ts). */
  has_short_probe?: true
  /** Of the whole file. Absent where nobody looked. */
  size_bytes?: number
  /** The picture that plays; cover art doesn't count. */
  video: VideoTrack
  audio: AudioTrack[]
  /** Absent where nobody looked: then a remux leaves them out. */
  subtitles?: SubtitleTrack[]
  /** How many. Absent where nobody looked. */
  chapters?: number
  /** A picture that players show beside the file. Absent: none, or nobody looked. */
  cover?: CoverArt
  /** What the file tells of its making, as far as results keep it (video/metadata.ts). Absent where nobody looked. */
  tags?: Readonly<Record<string, string>>
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
  /** It is shown upside down before it is turned, as the same matrix asks for: a mirror image. */
  mirrored?: true
  /** A frame as it lies in the file: not turned, its pixels of any shape. Absent where nobody looked. */
  stored?: { width: number; height: number; sample_aspect_ratio: number }
  frames_per_second: number
  pixel_format: string
  /** Frames are stored in another order than they are shown (B-frames). */
  reorders_frames?: true
  /** The container has no presentation times, and frames are coded in another order: a copy would shuffle them. */
  has_unknown_order?: true
  /** The container says so of a codec whose pixel format does not (VP8, VP9). */
  has_alpha?: true
  /** ffprobe's color_transfer; "smpte2084" and "arib-std-b67" are HDR. */
  color_transfer: string | null
  /** ffprobe's color_space, color_primaries and color_range; null or absent: the file doesn't say. */
  color_space?: string | null
  color_primaries?: string | null
  color_range?: string | null
  interlaced: boolean
  /** Of the picture alone, where the file says it: sound can go on for longer. */
  duration_seconds?: number | null
  /** When its first frame is seen, counted from the start of the file. Absent: at once. */
  start_seconds?: number
  /** Frames don't come evenly (phones, screen recordings): times are kept, not counted. Absent: they do. */
  variable_frame_rate?: boolean
}

export interface AudioTrack {
  index: number
  codec: string
  channels: number
  /** Of several: the file names it as the one that plays. */
  is_default?: boolean
  /** Its samples hold several AMR frames each; when it starts, counted from the start of the file. */
  packed?: { start_seconds: number }
  /** The name of its codec, where nothing here decodes it. Absent: it is decoded, or nobody looked. */
  unsupported?: string
}

export interface CoverArt {
  index: number
  codec: string
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
  /** Pages of a TIFF behind the first, which are not read. Absent: none. */
  unread_pages?: number
  /** An animation that sharp does not read: ffmpeg decodes it first. */
  sequence?: ImageSequence
  has_alpha: boolean
  /** Of the pixels as they are decoded; absent: 8. */
  bits_per_channel?: 8 | 16
  /** Absent: the colors are sRGB's, or an ICC profile describes them. */
  color?: ColorCodePoints
}

/** An animated AVIF or PNG, as ffmpeg reads it. */
export interface ImageSequence {
  container: 'avif' | 'png'
  /** Index of the stream with the colors, and of the one with the transparency where that is apart. */
  color_stream: number
  alpha_stream: number | null
  /** How often it is played; 0: forever. */
  loop: number
  /** Of one round. */
  duration_ms: number
}

/** How colors are coded, by the code points of ITU-T H.273. */
export interface ColorCodePoints {
  primaries: number
  transfer: number
  /** Of a PNG that names no code points, in place of `transfer`: light is the signal to this power. */
  gamma?: number
  /** Of such a PNG, in place of `primaries`. */
  chromaticities?: Chromaticities
}

/** x and y of white, red, green and blue (CIE 1931). */
export type Chromaticities = readonly [
  ...[white_x: number, white_y: number, red_x: number, red_y: number],
  ...[green_x: number, green_y: number, blue_x: number, blue_y: number],
]
