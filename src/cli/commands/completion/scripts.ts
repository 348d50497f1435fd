/**
 * The shell scripts. They know neither flags nor commands, handing the words up to the cursor to
 * `chat __complete`, and so survive updates. Invariant: typed text is an argument, never evaluated,
 * and only `chat` in the path is run.
 */
import type {Shell} from './typed-words.ts';

export const scripts: Readonly<Record<Shell, string>> = {
	// macOS has bash 3.2, which lacks mapfile and compopt, and cannot read <(…) with source.
	bash: `# Completion of chat for bash. To use it, add this line to ~/.bashrc:
#   eval "$(chat completion bash)"
# or, with the package bash-completion, once:
#   chat completion bash > ~/.local/share/bash-completion/completions/chat

_chat_complete() {
	local kind= line
	COMPREPLY=()
	while IFS= read -r line; do
		if [ -z "$kind" ]; then
			kind=$line
		else
			COMPREPLY[\${#COMPREPLY[@]}]=$line
		fi
	done < <(command chat __complete bash "\${COMP_TYPE-}" "$2" "\${COMP_LINE:0:COMP_POINT}" \\
		"\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null </dev/null)
	case $kind in
		files*) ;;
		open) compopt -o nospace +o default +o bashdefault 2>/dev/null ;;
		*) compopt +o default +o bashdefault 2>/dev/null ;;
	esac
	return 0
}

complete -o default -o bashdefault -F _chat_complete chat
`,
	zsh: `#compdef chat
# Completion of chat for zsh. To use it, add this line to ~/.zshrc, after compinit if that is there:
#   source <(chat completion zsh)
# or write it to a file named _chat in a folder of $fpath, once:
#   chat completion zsh > ~/.zsh/completions/_chat

_chat() {
	local kind text meaning
	local -a candidates
	while IFS=$'\\t' read -r text meaning; do
		if [[ -z $kind ]]; then
			kind=$text
		else
			text=\${text//\\\\/\\\\\\\\}
			candidates+=("\${text//:/\\\\:}\${meaning:+:}$meaning")
		fi
	done < <(command chat __complete zsh "\${(@Q)words[1,CURRENT-1]}" "$QIPREFIX$PREFIX" 2>/dev/null </dev/null)
	case $kind in
		files*) compset -p \${kind#files }; _files ;;
		open) _describe -V value candidates -S '' ;;
		*) _describe -V value candidates ;;
	esac
}

if [[ $funcstack[1] == _chat ]]; then
	_chat "$@"
else
	(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
	compdef _chat chat
fi
`,
	fish: `# Completion of chat for fish. To use it, once:
#   chat completion fish > ~/.config/fish/completions/chat.fish

function __chat_complete
	set -l last (commandline -ct)
	set -l reply (command chat __complete fish (commandline -opc) "$last" 2>/dev/null </dev/null)
	if string match -q 'files*' -- "$reply[1]"
		for path in (complete -C "'' $reply[3]")
			printf '%s\\n' "$reply[2]$path"
		end
	else if set -q reply[2]
		printf '%s\\n' $reply[2..]
	end
end

complete -c chat -f -k -a '(__chat_complete)'
`,
	powershell: `# Completion of chat for PowerShell. To use it, add this line to the file that $PROFILE names:
#   chat completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName chat -ScriptBlock {
	param($word, $ast, $cursor)
	$before = $ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor }
	$words = @($before | ForEach-Object {
		if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
	}) + $word
	$encoded = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($words -join [char]0))
	$chat = Get-Command chat -CommandType Application, ExternalScript | Select-Object -First 1
	& $chat __complete powershell $encoded 2>$null | Select-Object -Skip 1 | ForEach-Object {
		$text, $label, $meaning = $_.Split([char]9)
		if (-not $meaning) { $meaning = $label }
		[System.Management.Automation.CompletionResult]::new($text, $label, 'ParameterValue', $meaning)
	}
}
`,
};
