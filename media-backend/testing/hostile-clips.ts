import { makeClip } from './clips.ts'

/** A file that tries to make a program open another file or a connection. */
export interface HostileFile {
  name: string
  /** The service to which the file is sent. */
  service: 'video' | 'image'
  content: Buffer
}

export type Clips = Record<'mp4' | 'mov' | 'mkv' | 'avi', Buffer>

const VIDEO = ['-f', 'lavfi', '-i', 'testsrc2=duration=1:size=64x64:rate=10']
const AUDIO = ['-f', 'lavfi', '-i', 'sine=duration=1']

/** Makes a one-second clip with video and audio. */
export function smallClip(name: string, encoding: string[]): Promise<Buffer> {
  return makeClip(name, [...VIDEO, ...AUDIO, ...encoding])
}
