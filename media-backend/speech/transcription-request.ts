/** The request to transcribe a WAV of extractSpeech. */
export interface TranscriptionRequest {
  path: string
  duration_seconds: number
  /** ISO 639-1, or auto. */
  language: string
  task: 'transcribe' | 'translate'
  quality: 'fast' | 'balanced' | 'accurate'
}
