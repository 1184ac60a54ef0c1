import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { contentTypeOf } from '../../shared/planning/formats.ts'
import type { Task } from './task.ts'

const run = promisify(execFile)
const TEXT_CHARACTERS_MAX = 3000

/** A file as shown on the contact sheet. */
export interface Media {
  /** Path relative to the contact sheet's folder. */
  path: string
  content_type: string
  size_bytes: number
  text: string | null
  /** Waveform image of its audio; null if the task does not show audio or the file has none. */
  waveform: string | null
  tags: string | null
}

/** Prepares a file for a contact sheet stored in `folder`. */
export async function describeMedia(
  folder: string,
  file: string,
  size_bytes: number,
  shows: Task['shows'],
): Promise<Media> {
  const content_type = contentTypeOf(file)
  return {
    path: relative(folder, file),
    content_type,
    size_bytes,
    text: isText(content_type) ? (await readFile(file, 'utf8')).slice(0, TEXT_CHARACTERS_MAX) : null,
    waveform: shows === 'audio' ? await drawWaveform(folder, file) : null,
    tags: shows === 'tags' ? await readTags(file) : null,
  }
}

function isText(content_type: string): boolean {
  return /^text\/|json|subrip/.test(content_type)
}

/** @returns null if ffmpeg fails, as it does for a file without audio */
async function drawWaveform(folder: string, file: string): Promise<string | null> {
  const image = join(dirname(file), `${basename(file)}.wave.png`)
  const graph = '[0:a:0]aformat=channel_layouts=mono,showwavespic=s=320x64:scale=sqrt:colors=#3f7cac[wave]'
  const args = ['-v', 'error', '-nostdin', '-y', '-i', file, '-filter_complex', graph]
  return run('ffmpeg', [...args, '-map', '[wave]', '-frames:v', '1', image]).then(
    () => relative(folder, image),
    () => null,
  )
}

const TECHNICAL = ['-x', 'System:all', '-x', 'ExifTool:all', '-x', 'Composite:all', '-x', 'ICC_Profile:all']

/** Lists the descriptive tags that exiftool finds, one per line. Leaves out technical tags such as sizes. */
async function readTags(file: string): Promise<string> {
  const { stdout } = await run('exiftool', ['-s', '-G1', ...TECHNICAL, file])
  const kept = stdout
    .split('\n')
    .filter((line) => /^\[(IFD0|ExifIFD|GPS|XMP|IPTC|Keys|ItemList|UserData)/.test(line))
  return kept.map((line) => line.replace(/\s+/g, ' ')).join('\n')
}
