import { Check, Copy, type LucideIcon } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import { defineTexts } from '../text/define-texts.ts'
import { Button, IconButton } from './button.tsx'
import { copyText } from './copy.ts'

const SHOWN_MS = 2000

const texts = defineTexts({
  en: { copy: 'Copy', copied: 'Copied' },
  uk: { copy: 'Скопіювати', copied: 'Скопійовано' },
  ru: { copy: 'Скопировать', copied: 'Скопировано' },
})

interface CopyButtonProps {
  text: string
  /** Default: "Copy". Other labels name what is copied. */
  label?: string
  icon?: LucideIcon
  look?: 'secondary' | 'plain'
  /** True if the label is only a tooltip and the text of screen readers. */
  isIconOnly?: boolean
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label, icon = Copy, look, isIconOnly }: CopyButtonProps) {
  const t = texts()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const Icon = isCopied ? Check : icon
  const shown = label ?? t.copy
  const copy = async () => setCopied(await copyText(text))
  if (isIconOnly) {
    return (
      <IconButton label={shown} onClick={copy}>
        <Icon size={18} aria-hidden />
        <span class="visually-hidden" aria-live="polite">
          {isCopied && t.copied}
        </span>
      </IconButton>
    )
  }
  return (
    <Button look={look} onClick={copy}>
      <Icon size={18} aria-hidden />
      <span aria-live="polite">{isCopied ? t.copied : shown}</span>
    </Button>
  )
}
