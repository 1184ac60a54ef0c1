import type { Form } from '../../forms/form.ts'
import { downloadAudioForm } from './download_audio.form.ts'
import { downloadThumbnailForm } from './download_thumbnail.form.ts'
import { downloadVideoForm } from './download_video.form.ts'
import { linkCaptionsForm } from './link_captions.form.ts'
import { linkInfoForm } from './link_info.form.ts'
import { linkTranscribeForm } from './link_transcribe.form.ts'

/** Lists the forms of the operations on public video links. */
export const LINK_FORMS = {
  'video/link_info': linkInfoForm,
  'video/download_video': downloadVideoForm,
  'video/download_audio': downloadAudioForm,
  'video/download_thumbnail': downloadThumbnailForm,
  'video/link_transcribe': linkTranscribeForm,
  'video/link_captions': linkCaptionsForm,
} as const satisfies Record<string, Form>
