import type { LinkInfo } from '../links/info.ts'

/** Measurements of an input, gathered by the fleet before anything is planned. */
export interface Facts {
  probe: MediaProbe
  image: ImageFacts
  /** Files requested by the operation's `assets`, under the same names. */
  assets: Record<string, AssetFacts>
  /** Speech on the first audio track, recognized with the parameters `language`, `quality` and `task`. */
  transcript: Transcript
  /** Silent ranges of the first audio track, in order, without overlaps. */
  silences: TimeRange[]
  /** Loudness of each audio track, in order, before and after the filters of enhance_voice. */
  loudness: TrackLoudness[]
  /**
   * Seconds from the keyframe where a copy begins to `params.start`. 0 if nothing depends on it: no subtitles, no
   * chapters and no hidden frames at the start.
   */
  lead_seconds: number
  /** Packets around the ends of the part that `params` cut out; null if nothing can be copied precisely there. */
  cut_packets: CutPackets | null
  /** All packets of the video; null if nothing can be copied precisely. */
  video_packets: VideoPackets | null
  /** Metadata of a public video link, and the file downloaded from it. */
  link: LinkFacts
}

/** Measured according to EBU R128, after a downmix to stereo. */
export interface TrackLoudness {
  /** Integrated loudness in LUFS; null if the track is silent or too short to measure. */
  source_lufs: number | null
  /** Level of the quietest 50 ms in dBFS; null for digital silence. */
  noise_dbfs: number | null
  /** Measured after the filters, before the final gain; null if `source_lufs` is null. */
  filtered: { integrated_lufs: number; true_peak_dbtp: number } | null
}

export interface LinkFacts {
  info: LinkInfo
  /** Time of the download (ISO 8601), to which all counts refer. */
  fetched_at: string
  /** The downloaded video or audio file; null for a thumbnail, or if nothing is downloaded. */
  media: LinkMedia | null
}

/** A MediaProbe whose `video` is null for audio files. */
export type LinkMedia = Omit<MediaProbe, 'video'> & { video: VideoTrack | null }

/** A coded frame. Times are in units of CutPackets.timescale, from the start of the file. */
export interface CutPacket {
  dts: number
  pts: number
  /** Decoding can start here, even after other video: an IDR frame, a recovery point of H.264, or a CRA frame of HEVC. */
  can_start: boolean
  /** A recovery point of H.264: the frames that follow it but are displayed before it may need earlier ones. */
  is_open?: true
}

/** Packets in decoding order. Both lists start with the keyframe where a seek lands. */
export interface CutPackets {
  timescale: number
  /** Up to the first packet after the start of the cut where decoding can start; without it if that is too far. */
  start: CutPacket[]
  /** Up to shortly after the end of the cut; empty if it runs to the end of the file. */
  end: CutPacket[]
  /** The second list has all packets that are decoded before the end of the cut, which may lie in a long gap. */
  reaches_end: boolean
}

/** All packets of a video in decoding order. */
export interface VideoPackets {
  timescale: number
  packets: CutPacket[]
}

/** In seconds from the start of the video. */
export interface TimeRange {
  start: number
  end: number
}

export interface Word extends TimeRange {
  /** Trimmed; includes the punctuation that follows the word. */
  text: string
  /** From 0 to 1; absent if the engine does not report it. */
  confidence?: number
}

export interface Transcript {
  /** ISO 639-1 */
  language: string
  /** In order; empty if there is no speech. */
  words: Word[]
}

export interface AssetFacts {
  /** Name in the job folder. */
  file: string
  /** Set for images; 0 for audio. */
  width: number
  height: number
  /** Set for audio; 0 for images. */
  duration_seconds: number
  /** Set for audio; 0 or absent for other files. */
  channels?: number
  /** Content of a text file, and the encoding that it was read as, as TextDecoder names it. */
  text?: string
  encoding?: string
}

export type FactName = keyof Facts

export interface MediaProbe {
  /** ffprobe's format_name, such as "mov,mp4,m4a,3gp,3g2,mj2". */
  container: string
  duration_seconds: number
  /** Seconds that are missing from a truncated file, according to its header. */
  missing_seconds?: number
  /** Set after a cut: no frame starts at or after `duration_seconds`. */
  exact_length?: true
  /** Timestamps restart within the file, as in concatenated recordings, so a seek may land anywhere. */
  clock_restarts?: true
  /** An edit list hides the first frames. Only MP4 and QuickTime have edit lists. */
  hides_start?: true
  /** An edit list hides the last frames. */
  hides_end?: true
  /** First timestamp of a broadcast stream; absent for other files. */
  clock_start_seconds?: number
  /** A short probe of the first seconds found all tracks (shared/ffmpeg/video/short-probe.ts). */
  has_short_probe?: true
  /** Size of the whole file; absent if not measured. */
  size_bytes?: number
  /** The video track that plays; cover art is not counted. */
  video: VideoTrack
  audio: AudioTrack[]
  /** Absent if not probed; a remux then drops them. */
  subtitles?: SubtitleTrack[]
  /** Number of chapters; absent if not probed. */
  chapters?: number
  /** Cover art; absent if there is none or if not probed. */
  cover?: CoverArt
  /** Tags that results keep (shared/ffmpeg/output/metadata.ts); absent if not probed. */
  tags?: Readonly<Record<string, string>>
}

export interface VideoTrack {
  /** Stream index, as in ffmpeg's `-map 0:N`. */
  index: number
  codec: string
  /** Display size: after rotation, with square pixels. */
  width: number
  height: number
  /** Clockwise rotation from the display matrix: 0, 90, 180 or 270. */
  rotation_degrees: number
  /** The display matrix flips the frame vertically before the rotation. */
  mirrored?: true
  /** Size of the stored frame, before rotation and with its own pixel aspect ratio; absent if not probed. */
  stored?: { width: number; height: number; sample_aspect_ratio: number }
  frames_per_second: number
  pixel_format: string
  /** ffprobe's profile and level, as in "High" and 41; absent if not probed. */
  coding?: { profile: string; level: number }
  /** The decoding order differs from the display order (B-frames). */
  reorders_frames?: true
  /** The container's timestamp units per second; absent if unknown or not a whole number. */
  timescale?: number
  /**
   * The container stores no presentation timestamps, and ffmpeg guesses wrong ones: a copy would show the frames
   * in the wrong order, or declare a wrong frame rate.
   */
  lacks_display_times?: true
  /** The container declares an alpha channel that the pixel format does not show (VP8, VP9). */
  has_alpha?: true
  /** ffprobe's color_transfer; "smpte2084" and "arib-std-b67" are HDR. */
  color_transfer: string | null
  /** ffprobe's color_space, color_primaries and color_range; null or absent if the file does not declare them. */
  color_space?: string | null
  color_primaries?: string | null
  color_range?: string | null
  interlaced: boolean
  /** Duration of the video track if the file declares it; audio may be longer. */
  duration_seconds?: number | null
  /** Start time of the first frame, relative to the start of the file; absent if 0. */
  start_seconds?: number
  /** Variable frame rate (phones, screen recordings): timestamps are kept, not derived from the rate. */
  variable_frame_rate?: boolean
  /** The average rate is lower only because frames are missing: the others lie on the grid of this rate. */
  base_rate?: number
}

export interface AudioTrack {
  index: number
  codec: string
  channels: number
  /** Set if the track is marked as the default among several. */
  is_default?: boolean
  /** Set if each sample holds several AMR frames. The start time is relative to the start of the file. */
  packed?: { start_seconds: number }
  /** Codec name, if this build cannot decode it; absent if it can, or if not probed. */
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
  /** Size after the EXIF orientation is applied. */
  width: number
  height: number
  /** Number of frames of an animation; 1 for a still image. */
  pages: number
  /** Number of TIFF pages after the first, which are not read; absent if there are none. */
  unread_pages?: number
  /**
   * The file that an image was decoded to, if sharp cannot read it: upright, with its color profile. A preview is
   * what a camera raw file contains instead.
   */
  decoded?: { file: string; is_preview?: true }
  /** An animation that sharp cannot read; ffmpeg decodes it first. */
  sequence?: ImageSequence
  has_alpha: boolean
  /** The format stores up to four bits per pixel, or a palette, as scans and diagrams do. Set for TIFF. */
  few_colors?: true
  /** Bit depth of the decoded pixels; absent if 8. */
  bits_per_channel?: 8 | 16
  /** Absent if the colors are sRGB or described by an ICC profile. */
  color?: ColorCodePoints
}

/** An animated AVIF or PNG, as ffmpeg reads it. */
export interface ImageSequence {
  container: 'avif' | 'png'
  /** Stream indexes of the colors, and of the alpha channel if it is a separate stream. */
  color_stream: number
  alpha_stream: number | null
  /** Colors as ffmpeg names them, for frames that are not sRGB. */
  colors?: Pick<VideoTrack, 'pixel_format' | 'color_transfer' | 'color_primaries' | 'color_space'>
  /** Number of plays; 0 loops forever. */
  loop: number
  /** Duration of one loop. */
  duration_ms: number
}

/** Color description as code points of ITU-T H.273. */
export interface ColorCodePoints {
  primaries: number
  transfer: number
  /** Decoding gamma of a PNG without code points, used instead of `transfer`. */
  gamma?: number
  /** Chromaticities of such a PNG, used instead of `primaries`. */
  chromaticities?: Chromaticities
}

/** CIE 1931 x and y of white, red, green and blue. */
export type Chromaticities = readonly [
  ...[white_x: number, white_y: number, red_x: number, red_y: number],
  ...[green_x: number, green_y: number, blue_x: number, blue_y: number],
]
