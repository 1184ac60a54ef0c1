/** A request to transcribe a WAV written by extractSpeech. */
export interface TranscriptionRequest {
  path: string
  duration_seconds: number
  /** An ISO 639-1 code, or auto. */
  language: string
  task: 'transcribe' | 'translate'
  quality: 'fast' | 'balanced' | 'accurate'
}
