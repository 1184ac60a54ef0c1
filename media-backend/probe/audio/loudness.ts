import { toStereo } from '../../../shared/ffmpeg/audio/stereo.ts'
import { cleanVoice, VOICE_INPUT, VoiceParameters } from '../../../shared/ffmpeg/audio/voice.ts'
import type { AudioTrack, MediaProbe, TrackLoudness } from '../../../shared/planning/facts.ts'
import { readAudioTrack } from '../../runtime/audio-track.ts'
import { watchFfmpeg } from '../../runtime/ffmpeg.ts'
import { PROGRESS } from '../../runtime/ffmpeg-command.ts'
import type { Run } from '../../runtime/run.ts'

/** The value that ebur128 prints if no 400 ms block exceeds its gate. */
const SILENCE_LUFS = -70

/** Measures the loudness of each track, before and after the enhance_voice filters with these parameters. */
export async function measureLoudness(
  probe: Pick<MediaProbe, 'audio' | 'duration_seconds'>,
  params: Record<string, unknown>,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<TrackLoudness[]> {
  const voice_params = VoiceParameters.parse(params)
  const tracks: TrackLoudness[] = []
  for (const track of probe.audio) {
    const passes = 2 * probe.audio.length
    const measure = (filters: readonly string[], pass: number) =>
      measureTrack(track, filters, run, (seconds) =>
        reportProgress((2 * tracks.length + pass + Math.min(1, seconds / probe.duration_seconds)) / passes),
      )
    const source = await measure(VOICE_INPUT, 0)
    const { integrated_lufs: source_lufs, noise_dbfs } = source
    const filtered =
      source_lufs === null ? null : await measure(cleanVoice(voice_params, { source_lufs, noise_dbfs }), 1)
    tracks.push({ source_lufs, noise_dbfs, filtered: filtered === null ? null : filteredLoudness(filtered) })
  }
  return tracks
}

interface Measure {
  integrated_lufs: number | null
  true_peak_dbtp: number | null
  noise_dbfs: number | null
}

function filteredLoudness({ integrated_lufs, true_peak_dbtp }: Measure): TrackLoudness['filtered'] {
  return integrated_lufs === null ? null : { integrated_lufs, true_peak_dbtp: true_peak_dbtp ?? 0 }
}

async function measureTrack(
  track: AudioTrack,
  filters: readonly string[],
  run: Run,
  reportSeconds: (seconds: number) => void,
): Promise<Measure> {
  const meters = [
    'astats=measure_perchannel=none:measure_overall=RMS_trough',
    'ebur128=peak=true:framelog=verbose',
  ]
  const { stderr } = await readAudioTrack(track, run, (input, form) =>
    watchFfmpeg(
      [
        ...['-hide_banner', '-nostdin', ...PROGRESS, '-loglevel', 'info', ...input],
        ...['-af', [...(form === 'stereo' ? [] : toStereo(track.channels)), ...filters, ...meters].join(',')],
        ...['-f', 'null', '-'],
      ],
      run,
      { seconds_max: run.ceiling?.max_input_seconds ?? null, reportSeconds },
    ),
  )
  return readMeters(stderr)
}

/** Parses the summaries that both meters print at the end of the audio. */
function readMeters(text: string): Measure {
  const last = (pattern: RegExp) => {
    const shown = [...text.matchAll(pattern)].at(-1)?.[1]
    return shown === undefined || shown.includes('inf') ? null : Number(shown)
  }
  const integrated_lufs = last(/^\s+I:\s+(\S+) LUFS/gm)
  return {
    integrated_lufs: integrated_lufs === null || integrated_lufs <= SILENCE_LUFS ? null : integrated_lufs,
    true_peak_dbtp: last(/^\s+Peak:\s+(\S+) dBFS/gm),
    noise_dbfs: last(/RMS trough dB: (\S+)/g),
  }
}
