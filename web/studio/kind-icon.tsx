import { Film, Image, Link } from 'lucide-preact'
import { describeTypes } from '../text/media-types.ts'
import type { Tool } from './tools.ts'
import type { InputKind } from './workspace/input-kind.ts'

const ICONS = { video: Film, image: Image, link: Link }

/** Returns the kind of input that distinguishes a tool from others of the same name. */
export function kindOfTool({ accepts }: Pick<Tool, 'accepts'>): InputKind {
  return accepts.includes('link') ? 'link' : accepts.includes('image') ? 'image' : 'video'
}

/** Distinguishes a tool for videos from one for images of the same name. */
export function describeKind(tool: Pick<Tool, 'accepts'>): string | undefined {
  const kind = kindOfTool(tool)
  return kind === 'link' ? undefined : describeTypes([`${kind}/*`])
}

interface KindIconProps {
  kind: InputKind
  size: number
  /** What screen readers say; nothing if the text beside it says it. */
  label?: string | undefined
}

/** Icon of a kind of input. */
export function KindIcon({ kind, size, label }: KindIconProps) {
  const Icon = ICONS[kind]
  return label === undefined ? (
    <Icon size={size} aria-hidden />
  ) : (
    <Icon size={size} role="img" aria-label={label} />
  )
}
