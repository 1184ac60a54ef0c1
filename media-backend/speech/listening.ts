/** What is to be heard in a wav of extractSpeech. */
export interface TranscriptionRequest {
  path: string
  duration_seconds: number
  /** ISO 639-1, or auto. */
  language: string
  task: 'transcribe' | 'translate'
  quality: 'fast' | 'balanced' | 'accurate'
}
