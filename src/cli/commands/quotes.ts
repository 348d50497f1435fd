/** `chat quotes`: checks the quotations of a text against files, without a model. */
import {lineOfQuotation, passes, sumOfQuotations} from '../../chat/checked-quotation.ts';
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {decodeText, loadTextFile} from '../../input/load-text.ts';
import {checkFile, readStdin} from '../../input/read-bytes.ts';
import {readTextParts} from '../../input/read-parts.ts';
import {toJsonLine} from '../../json.ts';
import {quotationToJson} from '../../output/json-shape.ts';
import {printInfo, printText, printWaiting} from '../../output/print.ts';
import {checkQuotations} from '../../quotes/check-quotations.ts';
import {findQuotations} from '../../quotes/find-quotations.ts';
import {loadSettings} from '../../settings/options/load-settings.ts';
import {optionRows} from '../../settings/options/option-rows.ts';
import type {Command, Invocation} from '../command-line/command.ts';
import {untilInterrupted} from '../run/until-interrupted.ts';

const {output, quiet} = optionRows;

export const quotes: Command = {
	name: 'quotes',
	description:
		'Checks the quotations in a text: each one of at least 12 characters must stand in a file, word for word. Needs no model and no network.',
	flags: {
		output: {...output, summary: 'print text, or json'},
		quiet: {...quiet, summary: 'print no summary line'},
	},
	bare: {
		args: '<text> <file...>',
		summary: '',
		complete: ['files', 'files'],
		run: checkFiles,
	},
	verbs: {},
	notes: [
		'Typography, blanks, line ends, hyphenation and case may differ, and omission marks may leave text out; words may not. The exit code is 80 if a quotation is not found.',
	],
	examples: [
		'chat quotes answer.md contract.txt annex.pdf',
		"chat quotes - contract.txt -o json < answer.md | jq '.quotes[].found'",
	],
};

async function checkFiles({words, flags, environment}: Invocation): Promise<ExitCode> {
	const [path = '', ...files] = words;
	const {settings} = loadSettings(flags, environment);
	return await untilInterrupted<ExitCode>(environment, async (signal) => {
		for (const file of files) checkFile(file, environment.cwd, true);
		const text = await readAnswer(path, signal, environment);
		const quotations = findQuotations(text, files);
		const texts = files.map((name) => ({
			name,
			isFile: true,
			read: () => readTextParts(name, environment),
		}));
		const checked = await checkQuotations(quotations, texts);
		if (settings.output === 'text') {
			await printText(checked.map((each) => `${lineOfQuotation(each)}\n`).join(''), environment);
			if (!settings.quiet) printInfo(sumOfQuotations(checked), environment);
		} else {
			await printText(toJsonLine({quotes: checked.map(quotationToJson)}), environment);
		}
		return checked.every(passes) ? 0 : 80;
	});
}

async function readAnswer(
	path: string,
	signal: AbortSignal,
	environment: Environment,
): Promise<string> {
	const onWaiting = (name: string) => printWaiting(name, environment);
	const {cwd, stdin} = environment;
	if (path !== '-') return (await loadTextFile(path, {cwd, signal, onWaiting})).text;
	if (stdin.kind !== 'data') throw new ChatError('usage', 'nothing was piped in');
	return decodeText(await readStdin(stdin, {signal, onWaiting}), 'stdin').text;
}
