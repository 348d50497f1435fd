/** The options of `chat sessions`, in the form of the other options. They have no variables. */
import {inGroup, option, optional, toggle} from '../../settings/options/option-row.ts';
import {integerFrom, oneOf, parseAge, parseName} from '../../settings/options/parsers.ts';

const parseRole = oneOf('user', 'assistant', 'reasoning', 'tool');

/** The formats of `export`. */
const parseFormat = oneOf('md', 'json', 'html', 'openai');

export type ExportFormat = ReturnType<typeof parseFormat>;

type Role = ReturnType<typeof parseRole>;

export const sessionRows = inGroup('Options', {
	limit: optional(integerFrom(1), {
		flags: ['-n, --limit <n>'],
		summary: 'list, search: print at most this many, the latest ones',
	}),
	since: optional(parseAge, {
		flags: ['--since <age>'],
		summary: 'list, search: updated since then: 12h, 7d, 2w, 3mo or 1y ago',
	}),
	model: optional(parseName, {
		flags: ['-m, --model <name>'],
		summary: 'list, search: the name of the model has this in it',
	}),
	here: toggle(false, {
		flags: ['--here'],
		summary: 'list, search: only conversations of this folder',
	}),
	all: toggle(false, {
		flags: ['--all'],
		summary: 'list: also those without an answer; delete: all conversations',
	}),
	role: {
		flags: ['--role <role>'],
		values: parseRole.words,
		summary: 'search: only texts of user, assistant, reasoning or tool; repeatable',
		defaultValue: [] as readonly Role[],
		parse: (text: string, previous: readonly Role[]) => [...previous, parseRole(text)],
	},
	allBranches: toggle(false, {
		flags: ['--all-branches'],
		summary: 'show: print the turns of the other branches too',
	}),
	format: option(parseFormat, {
		flags: ['--format <format>'],
		defaultValue: 'md',
		summary: 'export: md, json, html, or openai (the messages of a request)',
	}),
	keepReasoning: toggle(true, {
		flags: ['--no-reasoning'],
		summary: 'export: leave the reasoning out',
	}),
	olderThan: optional(parseAge, {
		flags: ['--older-than <age>'],
		summary: 'prune: delete what was not updated since then, such as 90d ago',
	}),
	unanswered: toggle(false, {
		flags: ['--unanswered'],
		summary: 'prune: only those without an answer, by default of an hour ago and older',
	}),
	dryRun: toggle(false, {
		flags: ['--dry-run'],
		summary: 'prune: list what it would delete, and delete nothing',
	}),
	yes: toggle(false, {
		flags: ['-y, --yes'],
		summary: 'prune, delete --all: delete without a question',
	}),
});
