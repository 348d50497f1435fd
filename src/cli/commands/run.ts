/** `chat run`: a conversation as a Markdown file. */
import {inGroup, toggle} from '../../settings/options/option-row.ts';
import {optionRows} from '../../settings/options/option-rows.ts';
import {type Command, type Invocation, readFlags} from '../command-line/command.ts';

const {stdin, interactive, editing, saveTemplate, ...others} = optionRows;
const {continue: latest, resume, fork, edit, sessionsDir, ...rows} = others;

const ownRows = inGroup('Options', {
	plan: toggle(false, {
		flags: ['-n, --plan'],
		summary: 'print what would be asked, and send nothing',
	}),
	watch: toggle(false, {
		flags: ['--watch'],
		summary: 'ask again each time the file is saved, until Ctrl-C',
	}),
});

export const run: Command = {
	name: 'run',
	description:
		'Asks the prompts without an answer in a Markdown file, and those with a change above, and puts the answers into the file.',
	flags: {
		...ownRows,
		...rows,
		dryRun: {...rows.dryRun, summary: 'print the first request as JSON, and send nothing'},
		save: {
			...rows.save,
			flags: ['--save'],
			defaultValue: false,
			summary: 'save the conversation as a session, too',
		},
	},
	bare: {
		args: '<file>',
		summary: '',
		complete: ['files'],
		async run({words: [name = ''], flags, environment}: Invocation) {
			const {watch: isWatched, plan: isPlan} = readFlags(ownRows, flags);
			const {runChatFile} = await import('../run/chat-file/run-chat-file.ts');
			return await runChatFile({name, flags, isWatched, isPlan}, environment);
		},
	},
	verbs: {},
	advice: 'Write: chat run trip.md. To send the words as a prompt: chat -- run …',
	notes: [
		'A prompt stands below a line "## User", its answer below "## Assistant". Front matter may hold model, system, options, files, template and params; flags win over it.',
	],
	examples: ['chat run trip.md', 'chat run trip.md -n', 'chat run trip.md --watch -m terra'],
};
