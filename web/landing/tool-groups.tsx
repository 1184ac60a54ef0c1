import type { Tool } from '../../client/src/index.ts'
import { ErrorNotice, Skeleton } from '../design/surfaces.tsx'
import { GROUP_ICONS } from '../studio/group-icons.ts'
import { describeKind, KindIcon, kindOfTool } from '../studio/kind-icon.tsx'
import { groupTools, nameOf, toolsFor } from '../studio/tools.ts'
import { useTools } from '../studio/use-tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import styles from './landing.module.css'
import { Section } from './section.tsx'

const texts = defineTexts({
  en: { title: 'What you can do' },
  uk: { title: 'Що можна зробити' },
  ru: { title: 'Что можно сделать' },
})

/** All operations by what a user wants to do. Each opens the studio with its settings. */
export function ToolGroups() {
  const { data: tools, error } = useTools()
  return (
    <Section title={texts().title}>
      {error && <ErrorNotice error={error} />}
      {tools === undefined ? (
        !error && <Skeleton height="40rem" />
      ) : (
        <ul class={styles.groups}>
          {groupTools(toolsFor(tools, []), '').map((each) => (
            <ToolGroup key={each.group.key} {...each} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function ToolGroup({ group, tools }: { group: Tool['config']['group']; tools: readonly Tool[] }) {
  const Icon = GROUP_ICONS[group.key]
  return (
    <li class={styles.group}>
      <Icon aria-hidden />
      <h3>{group.title}</h3>
      <p class={styles.quiet}>{group.description}</p>
      <ul class={styles.tools}>
        {tools.map((tool) => (
          <li key={nameOf(tool)}>
            <a href={`/studio/${nameOf(tool)}`}>
              <KindIcon kind={kindOfTool(tool)} size={16} label={describeKind(tool)} />
              {tool.title}
            </a>
          </li>
        ))}
      </ul>
    </li>
  )
}
