import { Search } from 'lucide-preact'
import { useMemo, useState } from 'preact/hooks'
import { defineTexts } from '../text/define-texts.ts'
import { GROUP_ICONS } from './group-icons.ts'
import { describeKind, KindIcon, kindOfTool } from './kind-icon.tsx'
import { ToolIcon } from './tool-icon.tsx'
import styles from './tool-picker.module.css'
import { groupTools, nameOf, type Tool } from './tools.ts'

const texts = defineTexts({
  en: {
    title: 'What do you want to do?',
    search: 'Search tools',
    chain: 'Several tools in a row: build a chain',
    none: 'No tool has this name.',
  },
  uk: {
    title: 'Що потрібно зробити?',
    search: 'Пошук інструментів',
    chain: 'Кілька інструментів поспіль: скласти ланцюжок',
    none: 'Інструменту з такою назвою немає.',
  },
  ru: {
    title: 'Что нужно сделать?',
    search: 'Поиск инструментов',
    chain: 'Несколько инструментов подряд: собрать цепочку',
    none: 'Инструмента с таким названием нет.',
  },
})

/** The tools that fit the inputs, by what a user wants to do. */
export function ToolPicker({ tools, hrefOf }: { tools: readonly Tool[]; hrefOf: (tool: Tool) => string }) {
  const t = texts()
  const [search, setSearch] = useState('')
  const groups = useMemo(() => groupTools(tools, search), [tools, search])
  return (
    <section class={styles.picker}>
      <header class={styles.header}>
        <h2>{t.title}</h2>
        <label class={styles.search}>
          <Search size={18} aria-hidden />
          <input
            type="search"
            aria-label={t.search}
            placeholder={t.search}
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </label>
      </header>
      <p>
        <a href="/studio/chain">{t.chain}</a>
      </p>
      {groups.length === 0 && <p role="status">{t.none}</p>}
      {groups.map(({ group, tools: members }) => {
        const Icon = GROUP_ICONS[group.key]
        return (
          <section key={group.key} class={styles.group}>
            <header class={styles.about}>
              <Icon aria-hidden />
              <h3>{group.title}</h3>
              <p>{group.description}</p>
            </header>
            <ul class={styles.tools}>
              {members.map((tool) => (
                <li key={nameOf(tool)} class={styles.tool}>
                  <ToolIcon tool={tool} />
                  <div>
                    <a href={hrefOf(tool)}>
                      {tool.title.slice(0, tool.title.lastIndexOf(' ') + 1)}
                      {/* No line begins with the icon. */}
                      <span class={styles['last-word']}>
                        {`${tool.title.slice(tool.title.lastIndexOf(' ') + 1)}\u00a0`}
                        <KindIcon kind={kindOfTool(tool)} size={14} label={describeKind(tool)} />
                      </span>
                    </a>
                    <p>{tool.config.summary}</p>
                  </div>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </section>
  )
}
