/** The flags of `chat sessions`, and the input of its verbs. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {homeHint} from '../../../settings/files/config-path.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import {inGroup, option, optional, toggle} from '../../../settings/options/option-row.ts';
import {integerFrom, oneOf, parseAge, parseName} from '../../../settings/options/parsers.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {type FlagValues, type Invocation, readFlags} from '../../command-line/command.ts';
import {exportFormats} from '../../run/saving/export-writers.ts';
import {findSessionsFolder} from '../../run/saving/save-conversation.ts';

const parseRole = oneOf('user', 'assistant', 'reasoning', 'tool');

type Role = ReturnType<typeof parseRole>;

export const choosingRows = inGroup('Options', {
	limit: optional(integerFrom(1), {
		flags: ['-n, --limit <n>'],
		summary: 'print at most this many, the latest ones',
	}),
	since: optional(parseAge, {
		flags: ['--since <age>'],
		summary: 'updated since then: 12h, 7d, 2w, 3mo or 1y ago',
	}),
	model: optional(parseName, {
		flags: ['-m, --model <name>'],
		summary: 'the name of the model has this in it',
	}),
	here: toggle(false, {
		flags: ['--here'],
		summary: 'only conversations of this folder',
	}),
});

export const listRows = inGroup('Options', {
	all: toggle(false, {flags: ['--all'], summary: 'also those without an answer'}),
});

export const searchRows = inGroup('Options', {
	role: {
		flags: ['--role <role>'],
		values: parseRole.words,
		summary: 'only texts of user, assistant, reasoning or tool; repeatable',
		defaultValue: [] as readonly Role[],
		parse: (text: string, previous: readonly Role[]) => [...previous, parseRole(text)],
	},
});

export const showRows = inGroup('Options', {
	allBranches: toggle(false, {
		flags: ['--all-branches'],
		summary: 'print the turns of the other branches too',
	}),
});

export const exportRows = inGroup('Options', {
	format: option(oneOf(...exportFormats), {
		flags: ['--format <format>'],
		defaultValue: 'md',
		summary: 'md, json, html, or openai (the messages of a request)',
	}),
	keepReasoning: toggle(true, {
		flags: ['--no-reasoning'],
		summary: 'leave the reasoning out',
	}),
});

const yes = toggle(false, {flags: ['-y, --yes'], summary: 'delete without a question'});

export const deleteRows = inGroup('Options', {
	all: toggle(false, {flags: ['--all'], summary: 'all conversations'}),
	yes: {...yes, summary: 'with --all: delete without a question'},
});

export const pruneRows = inGroup('Options', {
	olderThan: optional(parseAge, {
		flags: ['--older-than <age>'],
		summary: 'delete what was not updated since then, such as 90d ago',
	}),
	unanswered: toggle(false, {
		flags: ['--unanswered'],
		summary: 'only those without an answer, by default of an hour ago and older',
	}),
	dryRun: toggle(false, {
		flags: ['--dry-run'],
		summary: 'list what it would delete, and delete nothing',
	}),
	yes,
});

const allRows = {
	...choosingRows,
	...listRows,
	...searchRows,
	...showRows,
	...exportRows,
	...deleteRows,
	...pruneRows,
};

export type SessionFlags = FlagValues<typeof allRows>;

export type VerbRun = {
	readonly words: readonly string[];
	readonly flags: SessionFlags;
	/** The folder of saved conversations. */
	readonly directory: string;
	readonly settings: Settings;
	readonly environment: Environment;
};

/** Runs a verb with its flags and the folder of conversations. */
export function inFolder(run: (run: VerbRun, invocation: Invocation) => Promise<ExitCode>) {
	return async (invocation: Invocation): Promise<ExitCode> => {
		const {words, flags, environment} = invocation;
		const {settings} = loadSettings(flags, environment);
		const directory = findSessionsFolder(settings, environment);
		if (directory === undefined) {
			throw new ChatError('input', 'there is no home folder for conversations', {
				hint: homeHint,
			});
		}
		const own = readFlags(allRows, flags);
		return await run({words, flags: own, directory, settings, environment}, invocation);
	};
}
