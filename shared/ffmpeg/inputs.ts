/**
 * Containers that can be read, by their common names and by ffmpeg's demuxers. None of them opens other files, as
 * playlists and manifests do.
 */
const CONTAINERS = [
  { title: 'MP4, MOV, M4V and 3GP', demuxers: ['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2'] },
  { title: 'Matroska (MKV) and WebM', demuxers: ['matroska', 'webm'] },
  { title: 'AVI', demuxers: ['avi'] },
  { title: 'MPEG transport streams (TS, M2TS)', demuxers: ['mpegts'] },
  { title: 'MPEG program streams (MPG, VOB)', demuxers: ['mpeg'] },
  { title: 'MXF', demuxers: ['mxf'] },
  { title: 'WMV and ASF', demuxers: ['asf'] },
  { title: 'FLV', demuxers: ['flv'] },
  { title: 'Ogg', demuxers: ['ogg'] },
  { title: 'IVF', demuxers: ['ivf'] },
  { title: 'DV', demuxers: ['dv'] },
  { title: 'YUV4MPEG2 (Y4M)', demuxers: ['yuv4mpegpipe'] },
  {
    title: 'and the audio files MP3, AAC, AMR, WAV and FLAC',
    demuxers: ['mp3', 'aac', 'amr', 'wav', 'flac'],
  },
] as const

/** Value of ffmpeg's -format_whitelist option. */
export const DEMUXERS = CONTAINERS.flatMap(({ demuxers }) => demuxers).join(',')

/** For documentation and error messages. */
export const READABLE_FORMATS = CONTAINERS.map(({ title }) => title).join(', ')
