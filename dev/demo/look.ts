import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { contentTypeOf } from '../../shared/planning/formats.ts'
import type { Task } from './tasks.ts'

const run = promisify(execFile)
const TEXT_CHARACTERS_MAX = 3000

/** A file as the sheet shows it. */
export interface Media {
  /** From the sheet's folder. */
  path: string
  content_type: string
  size_bytes: number
  text: string | null
  /** A picture of its sound; null where nobody asked, or where there is none. */
  waveform: string | null
  tags: string | null
}

/** Makes a file ready to be shown in a sheet that lies in `folder`. */
export async function lookAt(
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
    waveform: shows === 'sound' ? await drawWaveform(folder, file) : null,
    tags: shows === 'tags' ? await readTags(file) : null,
  }
}

function isText(content_type: string): boolean {
  return /^text\/|json|subrip/.test(content_type)
}

/** ffmpeg fails where there is no sound: then there is nothing to draw. */
async function drawWaveform(folder: string, file: string): Promise<string | null> {
  const picture = join(dirname(file), `${basename(file)}.wave.png`)
  const graph = '[0:a:0]aformat=channel_layouts=mono,showwavespic=s=320x64:scale=sqrt:colors=#3f7cac[wave]'
  const args = ['-v', 'error', '-nostdin', '-y', '-i', file, '-filter_complex', graph]
  return run('ffmpeg', [...args, '-map', '[wave]', '-frames:v', '1', picture]).then(
    () => relative(folder, picture),
    () => null,
  )
}

const TECHNICAL = ['-x', 'System:all', '-x', 'ExifTool:all', '-x', 'Composite:all', '-x', 'ICC_Profile:all']

/** What the file says of where it comes from, by exiftool: a line for each tag that is no measure. */
async function readTags(file: string): Promise<string> {
  const { stdout } = await run('exiftool', ['-s', '-G1', ...TECHNICAL, file])
  const kept = stdout
    .split('\n')
    .filter((line) => /^\[(IFD0|ExifIFD|GPS|XMP|IPTC|Keys|ItemList|UserData)/.test(line))
  return kept.map((line) => line.replace(/\s+/g, ' ')).join('\n')
}
