// sphinx-copybutton speaks Chinese but no Japanese. Its script has just been loaded and builds its
// buttons when the page is ready, so its two variables can still be completed here.
messages.ja = {
  copy: "コピー",
  copy_to_clipboard: "クリップボードにコピー",
  copy_success: "コピーしました",
  copy_failure: "コピーできませんでした",
};
locale = "ja";
iconCopy = iconCopy.replace(messages.en.copy_to_clipboard, messages.ja.copy_to_clipboard);
iconCheck = iconCheck.replace(messages.en.copy_success, messages.ja.copy_success);
