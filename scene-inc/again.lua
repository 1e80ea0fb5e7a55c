include 'again.lua'
