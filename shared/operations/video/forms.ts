import type { Form } from '../../forms/form.ts'
import { WATERMARK_FORM } from '../../forms/watermark-form.ts'
import { addAudioForm } from './add_audio.form.ts'
import { autoEditForm } from './auto_edit.form.ts'
import { blurBgForm } from './blur_bg.form.ts'
import { circleForm } from './circle.form.ts'
import { compressForm } from './compress.form.ts'
import { convertForm } from './convert.form.ts'
import { coverForm } from './cover.form.ts'
import { deviceMetaForm } from './device_meta.form.ts'
import { enhanceVoiceForm } from './enhance_voice.form.ts'
import { extractAudioForm } from './extract_audio.form.ts'
import { faststartForm } from './faststart.form.ts'
import { flipForm } from './flip.form.ts'
import { fpsForm } from './fps.form.ts'
import { gifForm } from './gif.form.ts'
import { muteForm } from './mute.form.ts'
import { resizeForm } from './resize.form.ts'
import { rotateForm } from './rotate.form.ts'
import { socialForm } from './social.form.ts'
import { speedForm } from './speed.form.ts'
import { stripMetadataForm } from './strip_metadata.form.ts'
import { subtitlesForm } from './subtitles.form.ts'
import { thumbnailForm } from './thumbnail.form.ts'
import { transcribeForm } from './transcribe.form.ts'
import { trimForm } from './trim.form.ts'

/** Lists the forms of the video operations. */
export const VIDEO_FORMS = {
  'video/compress': compressForm,
  'video/resize': resizeForm,
  'video/convert': convertForm,
  'video/social': socialForm,
  'video/trim': trimForm,
  'video/fps': fpsForm,
  'video/faststart': faststartForm,
  'video/mute': muteForm,
  'video/speed': speedForm,
  'video/rotate': rotateForm,
  'video/flip': flipForm,
  'video/gif': gifForm,
  'video/thumbnail': thumbnailForm,
  'video/cover': coverForm,
  'video/extract_audio': extractAudioForm,
  'video/enhance_voice': enhanceVoiceForm,
  'video/add_audio': addAudioForm,
  'video/circle': circleForm,
  'video/blur_bg': blurBgForm,
  'video/watermark': WATERMARK_FORM,
  'video/subtitles': subtitlesForm,
  'video/transcribe': transcribeForm,
  'video/auto_edit': autoEditForm,
  'video/device_meta': deviceMetaForm,
  'video/strip_metadata': stripMetadataForm,
} as const satisfies Record<string, Form>
