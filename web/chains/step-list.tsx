import { useCallback, useState } from 'preact/hooks'
import { Button } from '../design/button.tsx'
import { SelectField } from '../design/field.tsx'
import { findTool, groupTools, nameOf, type Tool } from '../studio/tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import { findStepFaults, makeStep, moveStep, toolsToAdd } from './chain.ts'
import { chain } from './current-chain.ts'
import styles from './step-list.module.css'
import { StepRow } from './step-row.tsx'

const texts = defineTexts({
  en: { steps: 'Steps', next: 'Next step', add: 'Add step', choose: 'Choose a tool' },
  uk: { steps: 'Кроки', next: 'Наступний крок', add: 'Додати крок', choose: 'Виберіть інструмент' },
  ru: { steps: 'Шаги', next: 'Следующий шаг', add: 'Добавить шаг', choose: 'Выберите инструмент' },
})

/** The steps of the chain, and the choice of the next one. */
export function StepList({ tools }: { tools: readonly Tool[] }) {
  const t = texts()
  const faults = findStepFaults(chain.value, tools)
  const move = useCallback((from: number, to: number) => {
    chain.value = moveStep(chain.value, from, to)
  }, [])
  return (
    <>
      <ol class={styles.list} aria-label={t.steps}>
        {chain.value.map((step, index) => {
          const tool = findTool(tools, nameOf(step))
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

/** A choice with a button: each key press in a closed list already changes the choice. */
function AddStep({ tools }: { tools: readonly Tool[] }) {
  const t = texts()
  const [name, setName] = useState('')
  const addable = toolsToAdd(tools, chain.value)
  const tool = findTool(addable, name)
  const groups = groupTools(addable, '').map(({ group, tools: members }) => ({
    label: group.title,
    options: members.map((each) => ({ value: nameOf(each), label: each.title })),
  }))
  return (
    <form
      class={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        if (tool === null) return
        // The first preset is the most common use of a tool.
        chain.value = [...chain.value, makeStep(tool, tool.config.presets[0]?.params)]
        setName('')
      }}
    >
      <SelectField
        label={t.next}
        options={[{ value: '', label: t.choose }]}
        groups={groups}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button type="submit" disabled={tool === null}>
        {t.add}
      </Button>
    </form>
  )
}
