import { existsSync } from 'node:fs'
import { keepInSync } from '../../shared/ffmpeg/audio/sync.ts'
import type { AudioTrack } from '../../shared/planning/facts.ts'
import { readAudioTrack } from '../runtime/audio-track.ts'
import { watchFfmpeg } from '../runtime/ffmpeg.ts'
import { fileUrl, PROGRESS } from '../runtime/ffmpeg-command.ts'
import { fileIn } from '../runtime/folder.ts'
import type { Run } from '../runtime/run.ts'

const SPEECH_FILE = 'speech.wav'
export const SAMPLES_PER_SECOND = 16_000
/** Length of the header in a WAV that ffmpeg writes with -bitexact. */
export const HEADER_BYTES = 44

/**
 * Writes an audio track in the format that the engines expect: 16 kHz, mono, 16 bits, starting with the video.
 * Writes the file only once, even if two facts need it.
 */
export async function extractSpeech(
  track: AudioTrack,
  run: Run,
  reportSeconds: (seconds: number) => void = () => {},
): Promise<string> {
  const path = fileIn(run.folder, SPEECH_FILE)
  if (existsSync(path)) return path
  await readAudioTrack(track, run, (input) =>
    watchFfmpeg(
      [
        ...['-hide_banner', '-nostdin', ...PROGRESS, '-loglevel', 'error', '-y', ...input],
        ...['-af', keepInSync(), '-ac', '1', '-ar', String(SAMPLES_PER_SECOND)],
        ...['-c:a', 'pcm_s16le', '-bitexact', fileUrl(run.folder, SPEECH_FILE)],
      ],
      run,
      { seconds_max: run.ceiling?.max_input_seconds ?? null, reportSeconds },
    ),
  )
  return path
}
