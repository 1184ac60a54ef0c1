import { download_audio } from './download_audio.ts'
import { download_thumbnail } from './download_thumbnail.ts'
import { download_video } from './download_video.ts'
import { link_captions } from './link_captions.ts'
import { link_info } from './link_info.ts'
import { link_transcribe } from './link_transcribe.ts'

/** Lists the operations on public video links. They belong to the video service. */
export const LINK_OPERATIONS = [
  link_info,
  download_video,
  download_audio,
  download_thumbnail,
  link_transcribe,
  link_captions,
]
