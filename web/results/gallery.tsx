import { Download, File } from 'lucide-preact'
import { IconLink } from '../design/button.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes } from '../text/format.ts'
import { isolate } from '../text/isolate.ts'
import styles from './gallery.module.css'
import { kindOfContent } from './media-kind.ts'

const texts = defineTexts({
  en: { download: (name: string) => `Download ${name}` },
  uk: { download: (name: string) => `Завантажити ${name}` },
  ru: { download: (name: string) => `Скачать ${name}` },
})

interface GalleryFile {
  url: string
  filename: string
  content_type: string
  size_bytes: number
}

/** All files of a result, each with its download. */
export function Gallery({ files }: { files: readonly GalleryFile[] }) {
  return (
    <ul class={styles.gallery}>
      {files.map(({ url, filename, content_type, size_bytes }) => (
        <li key={url} class={styles.file}>
          {kindOfContent(content_type) === 'image' ? (
            <img class={styles.thumbnail} src={url} alt="" loading="lazy" />
          ) : (
            <span class={styles.thumbnail}>
              <File aria-hidden />
            </span>
          )}
          <p class={styles.name}>
            <bdi>{filename}</bdi>
            <span class={styles.size}>{formatBytes(size_bytes)}</span>
          </p>
          <IconLink label={texts().download(isolate(filename))} href={url} download={filename}>
            <Download size={18} aria-hidden />
          </IconLink>
        </li>
      ))}
    </ul>
  )
}
