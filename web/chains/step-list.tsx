import { useCallback } from 'preact/hooks'
import { SelectField } from '../design/field.tsx'
import { findTool, groupTools, nameOf, type Tool } from '../studio/tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import { findMisplaced, makeStep, moveStep, toolsToAdd } from './chain.ts'
import { chain } from './current-chain.ts'
import styles from './step-list.module.css'
import { StepRow } from './step-row.tsx'

const texts = defineTexts({
  en: { steps: 'Steps', add: 'Add a step', choose: 'Choose a tool' },
  uk: { steps: 'Кроки', add: 'Додати крок', choose: 'Виберіть інструмент' },
  ru: { steps: 'Шаги', add: 'Добавить шаг', choose: 'Выберите инструмент' },
})

/** The steps of the chain, and the choice of the next one. */
export function StepList({ tools }: { tools: readonly Tool[] }) {
  const t = texts()
  const faults = findMisplaced(chain.value, tools)
  const move = useCallback((from: number, to: number) => {
    chain.value = moveStep(chain.value, from, to)
  }, [])
  return (
    <>
      <ol class={styles.list} aria-label={t.steps}>
        {chain.value.map((step, index) => {
          const tool = findTool(tools, nameOf(step))
          if (tool === null) return null
          return (
            <StepRow
              key={step.id}
              {...{
                step,
                tool,
                index,
                count: chain.value.length,
                fault: faults[index] ?? null,
                onMove: move,
              }}
              onChange={(params) => {
                chain.value = chain.value.map((each) => (each.id === step.id ? { ...each, params } : each))
              }}
              onRemove={() => {
                chain.value = chain.value.filter(({ id }) => id !== step.id)
              }}
            />
          )
        })}
      </ol>
      <AddStep tools={tools} />
    </>
  )
}

function AddStep({ tools }: { tools: readonly Tool[] }) {
  const t = texts()
  const groups = groupTools(toolsToAdd(tools, chain.value), '')
  const options = groups.map(({ group, tools: members }) => ({
    label: group.title,
    options: members.map((tool) => ({ value: nameOf(tool), label: tool.title })),
  }))
  return (
    <SelectField
      label={t.add}
      options={[{ value: '', label: t.choose }]}
      groups={options}
      value=""
      onChange={({ currentTarget }) => {
        const tool = findTool(tools, currentTarget.value)
        currentTarget.value = ''
        // The first preset is the most common use of a tool.
        if (tool) chain.value = [...chain.value, makeStep(tool, tool.config.presets[0]?.params)]
      }}
    />
  )
}
