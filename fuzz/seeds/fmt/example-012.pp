File{ owner=>'root' }
File['/a']{ mode=>'0644' }
File<|tag=='x'|>{ owner=>'y' }
User <<|  |>>
