/** `chat batch`: answers each line of a file. */
import {optionRows} from '../../../settings/options/option-rows.ts';
import type {Command, OptionRows} from '../../command-line/command.ts';
import {batchRows} from './batch-rows.ts';
import {runBatch} from './run-batch.ts';

/** Flags that only make sense for a single answer. */
const singleRows: readonly string[] = [
	...['stdin', 'saveTemplate', 'interactive', 'editing', 'notify', 'color', 'reasoning', 'usage'],
	...['extract', 'extractBlock', 'continue', 'resume', 'fork', 'save', 'sessionsDir'],
];

const runRows: OptionRows = Object.fromEntries(
	Object.entries<OptionRows[string]>(optionRows).filter(
		([name]) => !singleRows.includes(name) && !Object.hasOwn(batchRows, name),
	),
);

export const batch: Command = {
	name: 'batch',
	description:
		'Answers each line of a file, and writes a line of JSON for each answer. Run again after any stop, it asks only what is not answered.',
	flags: {...batchRows, ...runRows},
	bare: {args: '<file|->', summary: '', complete: ['files'], run: runBatch},
	verbs: {},
	notes: [
		'A line is a prompt as a JSON string, or an object with any of prompt, id, system, model, files, params, schema. Other flags are its defaults; files are added to those of -f. In a file without JSON, each line is a prompt.',
	],
	examples: [
		'chat batch questions.jsonl -o answers.jsonl',
		'chat batch reviews.jsonl -o labels.jsonl -t classify -j 16 --json-schema "label"',
		'chat batch questions.jsonl -o answers.jsonl --retry-failed',
		"jq -c '{id, prompt: .text}' data.json | chat batch - -o answers.jsonl",
	],
};
