import {
  Captions,
  Download,
  FastForward,
  FileText,
  Globe,
  Image,
  ImagePlay,
  Info,
  type LucideIcon,
  Mic,
  Music,
  Scaling,
  Smartphone,
  VolumeX,
  WandSparkles,
  Zap,
} from 'lucide-preact'
import { GROUP_ICONS } from './group-icons.ts'
import styles from './tool-icon.module.css'
import { nameOf, type Tool } from './tools.ts'

/** Addresses of the pictures of results, which `npm run tool-pictures` makes, by their paths. */
const PICTURES = import.meta.glob<string>('./tool-pictures/*.webp', {
  eager: true,
  import: 'default',
  query: '?url',
})

/** Icons of operations whose results cannot be seen. Others without a picture have the icon of their group. */
const ICONS: Partial<Record<string, LucideIcon>> = {
  add_audio: Music,
  auto_edit: WandSparkles,
  device_meta: Smartphone,
  download_audio: Music,
  download_thumbnail: Image,
  download_video: Download,
  enhance_voice: Mic,
  extract_audio: Music,
  faststart: Zap,
  gif: ImagePlay,
  link_captions: Captions,
  link_info: Info,
  link_transcribe: FileText,
  mute: VolumeX,
  resize: Scaling,
  speed: FastForward,
  transcribe: FileText,
  web_optimize: Globe,
}

/** What a tool does to a photo or a video of it, or an icon. Its size does not depend on the picture. */
export function ToolIcon({ tool }: { tool: Tool }) {
  const picture = PICTURES[`./tool-pictures/${nameOf(tool).replace('/', '-')}.webp`]
  const Icon = ICONS[tool.operation_key] ?? GROUP_ICONS[tool.config.group.key]
  return (
    <span class={styles.frame}>
      {picture === undefined ? (
        <Icon size={24} aria-hidden />
      ) : (
        <img src={picture} alt="" width={96} height={54} loading="lazy" decoding="async" />
      )}
    </span>
  )
}
