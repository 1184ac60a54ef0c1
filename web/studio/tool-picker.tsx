import { defineTexts } from '../text/define-texts.ts'
import styles from './tool-picker.module.css'
import { nameOf, type Tool } from './tools.ts'

const texts = defineTexts({
  en: { none: 'No tool accepts all of these files. Remove the videos or the images.' },
  uk: { none: 'Жоден інструмент не приймає всі ці файли. Приберіть відео або зображення.' },
  ru: { none: 'Ни один инструмент не принимает все эти файлы. Уберите видео или изображения.' },
})

/** The tools that fit the inputs. */
export function ToolPicker({ tools, onPick }: { tools: readonly Tool[]; onPick: (tool: Tool) => void }) {
  if (tools.length === 0) return <p>{texts().none}</p>
  return (
    <ul class={styles.grid}>
      {tools.map((tool) => (
        <li key={nameOf(tool)}>
          <button type="button" class={styles.tool} onClick={() => onPick(tool)}>
            <strong>{tool.title}</strong>
            <span>{tool.description}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
