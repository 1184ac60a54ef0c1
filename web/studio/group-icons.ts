import {
  AudioLines,
  Captions,
  Crop,
  Link,
  type LucideIcon,
  Palette,
  RefreshCw,
  Scissors,
  ShieldCheck,
  Shrink,
  Sparkles,
} from 'lucide-preact'
import type { Tool } from './tools.ts'

export const GROUP_ICONS: Record<Tool['config']['group']['key'], LucideIcon> = {
  compress: Shrink,
  convert: RefreshCw,
  resize: Crop,
  cut: Scissors,
  picture: Palette,
  audio: AudioLines,
  text: Captions,
  create: Sparkles,
  privacy: ShieldCheck,
  link: Link,
}
